import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BaselineShare } from '../../../src/service/health/fall-test.js';
import { JobComparison } from '../../../src/service/health/job-comparison.js';
import { jobsServer } from '../../faces/dashboard/support/jobs-server.js';
import { aHarbour, harbourOne } from '../../support/invented-rows.js';
import { answerOf, awaitJob, makeJob, numbered, until } from '../jobs/harness.js';

/** Weeks in which 61% of the answers held the berths, and all the others. */
const baselineOf = (_: unknown, field: string): BaselineShare | null => ({
  answers: 2000,
  filled: field === 'berths' ? 1220 : 2000,
  scatter: 1,
});

const answerWith = (berths: number | null) => answerOf(aHarbour({ berths, note: 'Calm.' }), 'req_x');

describe('what the answers of a job lacked', () => {
  test('is reported once at the end of a job, by field', () => {
    const comparison = new JobComparison({ baselineOf });
    for (let at = 0; at < 5000; at += 1) {
      comparison.addAnswer('job_1', harbourOne, answerWith(at % 25 < 3 ? 12 : null));
      if (at < 100) comparison.addAnswer('job_2', harbourOne, answerWith(at % 5 < 3 ? 12 : null));
    }
    const sentence = 'berths was filled in 12% of 5,000 answers; usually 61%.';
    assert.deepEqual(comparison.endJob('job_1'), [sentence]);
    assert.deepEqual(comparison.endJob('job_1'), []);
    assert.deepEqual(comparison.endJob('job_2'), []);
  });

  test('appears on the page of the job, and not in the job object', async (t) => {
    const comparison = new JobComparison({ baselineOf });
    const all = await jobsServer(t, {
      ask: async () => answerWith(null),
      onAnswered: (endpoint, answer, _, job) => comparison.addAnswer(job, endpoint, answer),
      comparisonOf: (job) => comparison.endJob(job),
    });
    const { browser, account } = await all.signedIn();
    const { key } = await all.accounts.createKey({ account: account.id, name: 'k', platforms: null });
    const customer = { account: account.id, secret: '', key };
    const id = await makeJob(all, customer, numbered(30), { endpoint: 'maps/harbour', credits: 2 });
    const job = await awaitJob(all, customer, id);
    await until(async () => (await all.jobs.store.readComparison(account.id, id)).length > 0);
    assert.equal('comparison' in job, false);
    const page = await browser.get(`/dashboard/jobs/${id}`);
    assert.match(
      page.$('main').text(),
      /Fields missing more often than usual.*berths was filled in 0% of 30 answers; usually 61%\./s,
    );
    const quiet = await makeJob(all, customer, numbered(3), { endpoint: 'maps/harbour', credits: 2 });
    await awaitJob(all, customer, quiet);
    assert.doesNotMatch((await browser.get(`/dashboard/jobs/${quiet}`)).$('main').text(), /more often/);
    assert.deepEqual(all.errors, []);
  });
});
