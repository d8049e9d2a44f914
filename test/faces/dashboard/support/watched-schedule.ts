import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ChangingSite, nextRun } from '../../../service/jobs/changing-site.js';
import { awaitJob, until } from '../../../service/jobs/harness.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { type JobsServerOptions, jobsServer } from './jobs-server.js';

/** A schedule that somebody ordered by the form, and the site that its runs read. */
export async function watchedSchedule(
  t: TestContext,
  values: Readonly<Record<string, string>>,
  options: JobsServerOptions = {},
) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const site = new ChangingSite();
  site.home = 'https://harbours.example';
  site.at = new Date(clock.now()).toISOString();
  const all = await jobsServer(t, { clock, ask: site.ask, ...options });
  const { browser, account } = await all.signedIn();
  const customer = { account: account.id, secret: '', key: { id: 'key_1', name: 'first' } };
  const form = await browser.get('/dashboard/jobs/new');
  const draft = await browser.submit(form, 'main form', { schedule: '6h', ...values });
  assert.equal(draft.status, 200, draft.$('.problem').text());
  await browser.submit(draft, 'main form');
  const { schedules } = await all.jobs.schedules.list(account.id, 1, undefined);
  const { id = '', last_run: first } = schedules[0] ?? {};
  await awaitJob(all, customer, first?.job ?? '');
  return {
    ...{ all, browser, account, site, clock, id, draft },
    path: `/dashboard/schedules/${id}`,
    /** Lets it run once more, after something moved. */
    async next(moved: Partial<ChangingSite>) {
      Object.assign(site, moved, { at: new Date(clock.now() + 6 * 3_600_000).toISOString() });
      const under = { jobs: all.jobs, clock, customer: async () => customer, pauseMs: 0 };
      const job = await nextRun(under, customer, id);
      await awaitJob(all, customer, job);
      const untold = async () => (await all.jobs.store.find(account.id, job)).finished_at === null;
      await until(async () => !(await untold()));
      return job;
    },
  };
}
