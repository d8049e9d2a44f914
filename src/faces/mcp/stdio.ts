import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport, serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { boundedServerApi } from './jobs/bounded-server-api.js';
import { MemoryAnswers } from './memory-answers.js';
import type { ToolAccess } from './tool-access.js';
import { createToolServer, type ToolServer, type ToolServerOptions } from './tool-server.js';

export interface StdioOptions
  extends Pick<ToolServerOptions, 'backend' | 'server' | 'docsBase' | 'platforms' | 'onFault'> {
  readonly access: ToolAccess;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Stops the server and refunds its calls. */
  readonly signal: AbortSignal;
}

/** Resolves when the transport is closed: its streams failed, or a message was too long. */
function transportClose(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

function inputEnd(stdin: Readable, signal: AbortSignal, closed: Promise<void>): Promise<unknown> {
  const end = new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve);
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return Promise.race([end, closed]);
}

/**
 * Serves the tools over two streams, one message per line, until the input ends or the signal is aborted. Calls in
 * progress when the input ends are finished and answered; an abort cancels them.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { access, backend, server: api, docsBase, platforms, signal, onFault } = options;
  // The transport cancels calls when its input ends, so its own input stays open until they are answered.
  const input = options.stdin.pipe(new PassThrough(), { end: false });
  try {
    const closing = new AbortController();
    const stop = () =>
      closing.abort(
        new ExtractError('platform_timeout', 'The server stopped before the platform responded.'),
      );
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const toolServers: ToolServerOptions = {
      backend,
      server: api === undefined || platforms === undefined ? api : boundedServerApi(api, platforms),
      docsBase,
      platforms,
      recentAnswers: new MemoryAnswers(systemClock),
      closing: closing.signal,
      onFault,
    };
    // A client that tries a newer revision first, and then an older one, opens two servers in sequence.
    const servers: ToolServer[] = [];
    const transport = new StdioServerTransport(input, options.stdout);
    const connection = serveProtocol(
      () => {
        const server = createToolServer(access, toolServers);
        servers.push(server);
        return server.protocol;
      },
      { transport },
    );
    await inputEnd(options.stdin, signal, transportClose(transport));
    // The transport still receives the last message, and writes the last answer before it closes.
    await setImmediate();
    await Promise.all(servers.map((server) => server.idle()));
    await setImmediate();
    await connection.close();
  } finally {
    options.stdin.unpipe(input).pause();
  }
}
