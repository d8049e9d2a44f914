import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputTexts } from '../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../src/service/jobs/job-request.js';
import { submitJob } from '../../../src/service/jobs/submit-job.js';
import { FakeClock } from '../../support/fake-clock.js';
import { jobsHarness, rows, until } from './harness.js';

test('a new job starts without a search for due webhooks, alerts and runs', async (t) => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  let count = 0;
  const all = await jobsHarness(t, {
    clock,
    ask: (_, __, ___, signal) => {
      count += 1;
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  });
  const { account } = await all.customer();
  const { webhooks, alerts, schedules } = all.opened.jobStores;
  const looks = [
    t.mock.method(webhooks, 'listDue'),
    t.mock.method(alerts, 'listDue'),
    t.mock.method(alerts, 'listEnded'),
    t.mock.method(schedules, 'listDue'),
  ];
  const total = () => looks.reduce((sum, { mock }) => sum + mock.callCount(), 0);
  all.jobs.wake();
  await until(() => looks.every(({ mock }) => mock.callCount() > 0));
  await clock.advance(0);
  const before = total();
  const inputs = new InputTexts(['{"id":"a"}']);
  const request = await parseJobRequest({ endpoint: 'maps/harbour', inputs }, rows, account);
  await submitJob(all.jobs, { account, key: undefined, request, idempotencyKey: undefined }, () => '');
  await until(() => count > 0);
  await clock.advance(0);
  assert.equal(total(), before);
});
