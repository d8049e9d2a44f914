import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import {
  forgetInResultRows,
  noteForgotten,
} from '../../../src/service/jobs/results/forget-in-result-rows.js';
import { awaitJob, jobsHarness, linesOf, makeJob } from './harness.js';

const traces = new Traces([parseSubject('tiktok:@zebrabaker')]);

describe('forgetting in the results of jobs', () => {
  test('keeps the other lines as they were, and every line as long as it was', async (t) => {
    const all = await jobsHarness(t);
    const customer = await all.customer();
    const id = await makeJob(all, customer, ['other', 'zebrabaker', 'third']);
    await awaitJob(all, customer, id);
    const before = await linesOf(all, customer, id);
    const forgotten = await all.opened.results.transaction((queries) => forgetInResultRows(queries, traces));
    await all.opened.database.stores.transaction((queries) => noteForgotten(queries, forgotten));
    assert.deepEqual(forgotten, { lines: 1, jobs: [id] });
    const lines = await linesOf(all, customer, id);
    assert.deepEqual([lines[0], lines[2]], [before[0], before[2]]);
    assert.doesNotMatch(JSON.stringify(lines[1]), /zebrabaker/);
    const again = await all.opened.results.transaction((queries) => forgetInResultRows(queries, traces));
    assert.deepEqual(again, { lines: 0, jobs: [] });
  });
});
