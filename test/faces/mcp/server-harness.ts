import type { TestContext } from 'node:test';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import type { NewAccount, NewKey } from '../../../src/service/accounts/accounts.js';
import { testServer } from '../../support/server.js';
import { anyEndpoint, sampleCase } from './call-tool.js';

interface Serving extends Omit<NonNullable<Parameters<typeof testServer>[0]>, 'pages'> {
  readonly pages?: PageSource;
}

export type ServedTools = Awaited<ReturnType<typeof serveTools>>;

/** A whole server on a socket of this machine, whose clients and calls end with the test. */
export async function serveTools(t: TestContext, { pages, config, ...more }: Serving = {}) {
  const server = await testServer({ clock: systemClock, config: { logLevel: 'error', ...config }, ...more });
  if (pages !== undefined) server.pages = pages;
  const url = `${await server.app.listen({ host: '127.0.0.1', port: 0 })}/mcp`;
  const clients: Client[] = [];
  t.after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    server.closing.abort(new Error('the test is over'));
  });
  return Object.assign(server, {
    url,
    /** A confirmed account with a pack, and a key of it. */
    async holder({ platforms = null, ...account }: Partial<NewAccount & NewKey> = {}) {
      const { id } = await server.account({ credits: 50_000, ...account });
      const { secret, key } = await server.accounts.createKey({ account: id, name: 'a key', platforms });
      return { account: id, secret, key: key.id };
    },
    /** Connects the SDK's client, in its own session if its protocol revision has sessions; `key` is a bearer token. */
    async connect(key?: string, options?: ClientOptions) {
      const client = new Client({ name: 'test', version: '1' }, options);
      const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
      await client.connect(transport);
      clients.push(client);
      return { client, transport };
    },
  });
}

/** A server, an account with credits and a key of it, the client of that key, and what the sample of a tool asks. */
export async function keyed(t: TestContext, serving?: Serving, options?: ClientOptions) {
  const server = await serveTools(t, serving);
  const holder = await server.holder();
  const { client, transport } = await server.connect(holder.secret, options);
  const { params } = await sampleCase(anyEndpoint);
  return { server, ...holder, client, transport, params, ledger: server.ledger };
}

/** Posts a message as the protocol wants it. */
export const post = (url: string, message: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

/** A client of the revision without sessions. */
export const newRevision: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** What every message of that revision says of itself. */
export const newRevisionMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The first message of a session. */
export const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
