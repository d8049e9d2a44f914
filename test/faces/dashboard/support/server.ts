import assert from 'node:assert/strict';
import type { Account } from '../../../../src/service/accounts/accounts.js';
import { type TestServer, testServer } from '../../../support/server.js';
import { Browser } from './browser.js';

export interface DashboardServer extends TestServer {
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
  options: Omit<Parameters<typeof testServer>[0] & object, 'pages'> = {},
): Promise<DashboardServer> {
  const server = await testServer({ ...options, pages: true });
  return Object.assign(server, {
    async signedIn(email = newAddress()) {
      const browser = new Browser(server.app);
      await browser.submit(await browser.get('/sign-in'), 'form', { email });
      const page = await browser.openLink(server.mailer.token());
      assert.equal(page.url.split('?', 1)[0], '/dashboard');
      const account = await server.accounts.find(email);
      assert.ok(account);
      return { browser, account };
    },
  });
}
