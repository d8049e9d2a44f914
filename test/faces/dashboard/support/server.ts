import assert from 'node:assert/strict';
import type { Account } from '../../../../src/service/accounts/accounts.js';
import { type TestServer, testServer } from '../../../support/server.js';
import { Browser, type Page } from './browser.js';

export interface DashboardServer extends TestServer {
  /** A browser that is signed in over its link, as the address's owner. */
  signedIn(email?: string): Promise<{ readonly browser: Browser; readonly account: Account }>;
}

let people = 0;

function newAddress(): string {
  people += 1;
  return `person${people}@example.com`;
}

/** Links to jobs, which do not run here and have no results to show. */
const jobPages = ({ $ }: Page) =>
  $('a[href^="/dashboard/jobs/job_"]')
    .toArray()
    .map(({ attribs }) => attribs.href ?? '');

/** The whole server with its pages, in process. */
export async function dashboardServer(
  options: Omit<Parameters<typeof testServer>[0] & object, 'pages'> = {},
): Promise<DashboardServer> {
  const server = await testServer({ ...options, pages: true });
  return Object.assign(server, {
    async signedIn(email = newAddress()) {
      const browser = new Browser(server.app, jobPages);
      const page = await browser.signIn(email, server.mailer);
      assert.equal(page.url.split('?', 1)[0], '/dashboard');
      const account = await server.accounts.find(email);
      assert.ok(account);
      return { browser, account };
    },
  });
}
