import assert from 'node:assert/strict';
import type { ServerConfig } from '../../../lib/config.js';
import type { Account } from '../../../src/accounts/accounts.js';
import { type TestServer, testServer } from '../../support/server.js';
import { Browser } from './browser.js';
import { type MemoryDesk, memoryDesk } from './memory-desk.js';

export interface DashboardServer extends TestServer {
  readonly desk: MemoryDesk;
  /** A browser that is signed in over its link, as the address's owner. */
  signedIn(email?: string): Promise<{ readonly browser: Browser; readonly account: Account }>;
}

let people = 0;

function newAddress(): string {
  people += 1;
  return `person${people}@example.com`;
}

/** The whole server with its pages, in process. */
export async function dashboardServer(
  options: { readonly config?: Partial<ServerConfig>; readonly publicAddress?: string } = {},
): Promise<DashboardServer> {
  let desk = undefined as MemoryDesk | undefined;
  const server = await testServer({
    ...options,
    desk: (accounts, clock) => {
      desk = memoryDesk(accounts, () => clock.now());
      return desk;
    },
  });
  assert.ok(desk);
  const { tokens } = desk;
  return Object.assign(server, {
    desk,
    async signedIn(email = newAddress()) {
      const browser = new Browser(server.app);
      await browser.submit(await browser.get('/sign-in'), 'form', { email });
      const page = await browser.get(`/sign-in/confirm?token=${tokens.at(-1)}`);
      assert.equal(page.url.split('?', 1)[0], '/dashboard');
      const account = await server.accounts.find(email);
      assert.ok(account);
      return { browser, account };
    },
  });
}
