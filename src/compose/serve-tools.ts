import { defaultDocsBase } from '../../lib/errors/extract-error.js';
import type { Extractor } from '../../lib/extractor.js';
import { baseUrlOf } from '../../lib/remote/base-url.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { type OpenServices, openServices } from '../../lib/services.js';
import { readServerConfig } from '../config/server-config.js';
import { type Backend, localBackend, remoteBackend } from '../faces/mcp/backend.js';
import type { ServerApi } from '../faces/mcp/jobs/server-api.js';
import { type StdioOptions, serveStdio } from '../faces/mcp/stdio.js';
import { demoAccess, localAccess, remoteAccess, type ToolAccess } from '../faces/mcp/tool-access.js';

/** Who the tools call for: no account, this machine's account, or the holder of the configured key. */
export type ToolAccount = 'demo' | 'local' | 'key';

export interface ServeToolsOptions
  extends Pick<StdioOptions, 'platforms' | 'stdin' | 'stdout' | 'signal' | 'onFault'> {
  /** Its settings name the server and the key. The caller closes it. */
  readonly extractor: Pick<Extractor, 'answer' | 'ledger' | 'config'>;
  readonly account: ToolAccount;
}

interface ToolHost {
  readonly access: ToolAccess;
  readonly backend: Backend;
  /** The server that has the caller's jobs. */
  readonly server?: ServerApi;
  close(): Promise<void>;
}

function localHost(services: OpenServices, access: ToolAccess): ToolHost {
  return { access, backend: localBackend(services), close: () => services.close() };
}

/** A key belongs to the configured server; otherwise to an account in the database or data directory. */
async function openHost({ extractor, account }: ServeToolsOptions): Promise<ToolHost> {
  const { config } = extractor;
  if (account === 'demo') return localHost(openServices(config), demoAccess);
  if (account === 'local')
    return localHost(openServices(config), localAccess(config.localCredits === 'fixed'));
  const { baseUrl } = config;
  if (baseUrl !== undefined) {
    const { openApiClient } = await import('../../lib/remote/remote.js');
    const server = openApiClient({ ...config, baseUrl }, systemClock);
    const backend = remoteBackend(extractor);
    return { access: remoteAccess, backend, server, close: () => server.close() };
  }
  const [{ openStore }, { Access }, { keyAccess }] = await Promise.all([
    import('./open-store.js'),
    import('../service/limits/access.js'),
    import('../faces/mcp/key-access.js'),
  ]);
  const settings = readServerConfig();
  const store = await openStore(config.home, systemClock, settings.trialCredits);
  const sender = { headers: { authorization: `Bearer ${config.apiKey}` }, ip: 'stdio' };
  const access = keyAccess(new Access(store.accounts, systemClock, settings), sender);
  const shared = store.shared(config.cacheDiskMb * 1024 * 1024);
  const host = localHost(
    openServices(config, { ledger: store.ledger, suppressions: store.suppressions, shared }),
    access,
  );
  return {
    ...host,
    async close() {
      await host.close();
      await store.close();
    },
  };
}

function docsBaseFor({ docsUrl, baseUrl }: Extractor['config'], account: ToolAccount): string {
  const servesDocs = account === 'key' && baseUrl !== undefined && docsUrl === defaultDocsBase;
  return servesDocs ? baseUrlOf(baseUrl).replace(/\/v1$/, '') : docsUrl;
}

/** Composition root of `extract mcp`: serves the tools of an account over two streams. */
export async function serveTools(options: ServeToolsOptions): Promise<void> {
  const { extractor, platforms, stdin, stdout, signal, onFault } = options;
  const { access, backend, server, close } = await openHost(options);
  try {
    const docsBase = docsBaseFor(extractor.config, options.account);
    await serveStdio({ access, backend, server, docsBase, platforms, stdin, stdout, signal, onFault });
  } finally {
    await close();
  }
}
