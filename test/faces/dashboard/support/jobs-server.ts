import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { pages, tools } from '../../../../src/compose/faces.js';
import { readHostingConfig } from '../../../../src/config/hosting-config.js';
import { readServerConfig } from '../../../../src/config/server-config.js';
import { createApp } from '../../../../src/faces/server/app.js';
import { Metrics } from '../../../../src/faces/server/metrics.js';
import { serverLog } from '../../../../src/output/log.js';
import type { Account } from '../../../../src/service/accounts/accounts.js';
import { openHosting } from '../../../../src/service/accounts/hosting.js';
import type { StripeHost } from '../../../../src/service/accounts/packs/stripe-client.js';
import { type JobsHarnessOptions, jobsOver } from '../../../service/jobs/harness.js';
import { MemoryMailer } from '../../../support/memory-mailer.js';
import { testMonitoring } from '../../../support/monitoring.js';
import { openServerStore } from '../../../support/server-store.js';
import { Browser, type Page } from './browser.js';

export type JobsServer = Awaited<ReturnType<typeof jobsServer>>;

export interface Person {
  readonly browser: Browser;
  readonly account: Account;
}

export interface JobsServerOptions extends JobsHarnessOptions {
  /** Settings of the desk, as the environment would have them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where Stripe is. */
  readonly stripeHost?: StripeHost;
}

/** Links that a browser does not follow here: other parts, and documentation of the tests' own endpoints. */
function elsewhere({ $ }: Page): string[] {
  const parts = ['', '/keys', '/requests', '/usage', '/jobs', '/playground', '/packs', '/settings'];
  const searches = $('a[href^="/dashboard/requests?"]').toArray();
  return [
    '/',
    ...parts.map((name) => `/dashboard${name}`),
    '/docs/endpoints',
    ...searches.map(({ attribs }) => attribs.href ?? ''),
  ];
}

/** The whole server with its pages and with jobs that run, in process. */
export async function jobsServer(
  t: TestContext,
  { settings = {}, stripeHost, ...options }: JobsServerOptions = {},
) {
  const all = await jobsOver(t, openServerStore, options);
  const { services, accounts, jobs, opened, clock } = all;
  const mailer = new MemoryMailer();
  const metrics = new Metrics();
  const { monitoring, watched } = testMonitoring({
    store: opened,
    jobs,
    metrics,
    mailer,
    clock,
    home: all.home,
  });
  /** What was reported to the operator. */
  const hostingErrors: unknown[] = [];
  const hosting = openHosting({
    ...{ store: opened, config: readHostingConfig(settings), mailer: watched, clock, proxy: {}, stripeHost },
    publicUrl: services.docsBase,
    onError: (_, cause) => hostingErrors.push(cause),
    onDelete: (account) => jobs.cancelAll(account),
    onDeleted: () => jobs.forgetDeleted(),
  });
  const log: string[] = [];
  const app = createApp({
    ...{ services, accounts, jobs, metrics, closing: new AbortController().signal },
    config: readServerConfig({ rateLimit: 1_000_000 }, {}),
    log: serverLog('info', { write: (line) => log.push(line) }),
    usage: opened.usage,
    refusedCalls: opened.refusedCalls,
    expiringStore: opened.expiringStore,
    payments: hosting.payments,
    faces: [tools, pages(hosting, monitoring, opened.suppressions)],
  });
  t.after(() => app.close());
  t.after(() => opened.close());
  let people = 0;
  const browser = () => new Browser(app, elsewhere);
  return {
    ...all,
    ...{ app, hosting, mailer, metrics, log, hostingErrors },
    /** A browser that is not signed in. */
    browser,
    /** Signs in a user by their link, with this many credits in addition to the trial's. */
    async signedIn(credits = 100_000): Promise<Person> {
      people += 1;
      const email = `person${people}@example.com`;
      const one = browser();
      await one.signIn(email, mailer);
      const account = (await accounts.find(email)) ?? assert.fail();
      if (credits > 0) {
        const grant = { id: `gift_${account.id}`, account: account.id, credits, kind: 'pack' as const };
        await all.ledger.grant({ ...grant, at: new Date(clock.now()).toISOString() });
      }
      return { browser: one, account };
    },
    /** The operator over the link. */
    async operator() {
      const one = browser();
      const link = `/admin/sign-in?token=${await hosting.admin.createLink()}`;
      await one.submit(await one.get(link), 'main form');
      return one;
    },
  };
}
