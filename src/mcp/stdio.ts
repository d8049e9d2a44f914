import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport, serveStdio as serveWire } from '@modelcontextprotocol/server/stdio';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Extractor } from '../../lib/extractor.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { type OpenServices, openServices } from '../../lib/services.js';
import { readServerConfig } from '../config/server-config.js';
import { type Backend, ownBackend, remoteBackend } from './backend.js';
import { RecentAnswers } from './recent-answers.js';
import { demoAccess, localAccess, remoteAccess, type ToolAccess } from './tool-access.js';
import { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.js';

/** In whose name the tools call: nobody's, this machine's account, or the holder of the key that is set. */
type StdioAccount = 'demo' | 'local' | 'key';

export interface StdioOptions {
  /** Its settings tell the server and the key; it is closed by whoever made it. */
  readonly extractor: Pick<Extractor, 'answer' | 'ledger' | 'config'>;
  readonly account: StdioAccount;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Ends the server, and gives back what its calls were charged. */
  readonly signal: AbortSignal;
  /** Told of faults of ours, under the id that the caller was told. */
  fault(requestId: string, cause: unknown): void;
}

interface Opened {
  readonly access: ToolAccess;
  readonly backend: Backend;
  close(): Promise<void>;
}

function here(services: OpenServices, access: ToolAccess): Opened {
  return { access, backend: ownBackend(services), close: () => services.close() };
}

/** A key is one of the server that is set; where none is, of an account in this data directory. */
async function open({ extractor, account }: StdioOptions): Promise<Opened> {
  const { config } = extractor;
  if (account === 'demo') return here(openServices(config), demoAccess);
  if (account === 'local') return here(openServices(config), localAccess);
  if (config.baseUrl !== undefined) {
    return { access: remoteAccess, backend: remoteBackend(extractor), close: async () => undefined };
  }
  const [{ openStore }, { Access }, { keyAccess }] = await Promise.all([
    import('../open-store.js'),
    import('../server/access.js'),
    import('./key-access.js'),
  ]);
  const settings = readServerConfig();
  const { ledger, accounts } = await openStore(config.home, systemClock, settings.trialCredits);
  const sender = { headers: { authorization: `Bearer ${config.apiKey}` }, ip: 'stdio' };
  const access = keyAccess(new Access(accounts, systemClock, settings), sender);
  return here(openServices(config, { ledger }), access);
}

/** Resolves when the transport was closed: its streams broke, or a message was too long. */
function closedOf(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

/** Resolves when nobody speaks to the server any more. */
function ended(stdin: Readable, signal: AbortSignal, closed: Promise<void>): Promise<unknown> {
  const silence = new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve);
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return Promise.race([silence, closed]);
}

/**
 * Serves the tools over two streams, one message a line, until the input ends or the signal is aborted. Calls that are
 * under way when the input ends are finished and answered; an abort gives them up.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { access, backend, close } = await open(options);
  // The transport gives calls up when its input ends, so it gets an input that stays open until they are answered.
  const input = options.stdin.pipe(new PassThrough(), { end: false });
  try {
    const closing = new AbortController();
    const stop = () =>
      closing.abort(
        new ExtractError('platform_timeout', 'The server stopped before the platform had answered.'),
      );
    if (options.signal.aborted) stop();
    options.signal.addEventListener('abort', stop, { once: true });
    const toolServers: ToolServerOptions = {
      backend,
      docsBase: options.extractor.config.docsUrl,
      kept: new RecentAnswers(systemClock),
      closing: closing.signal,
      fault: options.fault,
    };
    // A client that tries a newer revision first, and then an older one, is served by two, one after the other.
    const servers: ToolServer[] = [];
    const transport = new StdioServerTransport(input, options.stdout);
    const wire = serveWire(
      () => {
        const server = createToolServer(access, toolServers);
        servers.push(server);
        return server.protocol;
      },
      { transport },
    );
    await ended(options.stdin, options.signal, closedOf(transport));
    // What was read last is first taken up, and what is answered last is first written.
    await setImmediate();
    await Promise.all(servers.map((server) => server.idle()));
    await setImmediate();
    await wire.close();
  } finally {
    options.stdin.unpipe(input).pause();
    await close();
  }
}
