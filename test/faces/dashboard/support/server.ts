import assert from 'node:assert/strict';
import { testServer } from '../../../support/server.js';
import { Browser, type Page } from './browser.js';

export type DashboardServer = Awaited<ReturnType<typeof dashboardServer>>;

let people = 0;

/** Links to jobs, which do not run here and have no results to show. */
const jobPages = ({ $ }: Page) =>
  $('a[href^="/dashboard/jobs/job_"]')
    .toArray()
    .map(({ attribs }) => attribs.href ?? '');

/** The whole server with its pages, in process. */
export async function dashboardServer(
  options: Omit<Parameters<typeof testServer>[0] & object, 'pages'> = {},
) {
  const server = await testServer({ ...options, pages: true });
  return Object.assign(server, {
    /** A browser that is signed in over its link, as the address's owner. */
    async signedIn(email = `person${++people}@example.com`) {
      const browser = new Browser(server.app, jobPages);
      const page = await browser.signIn(email, server.mailer);
      assert.equal(page.url.split('?', 1)[0], '/dashboard');
      return { browser, account: (await server.accounts.find(email)) ?? assert.fail() };
    },
  });
}
