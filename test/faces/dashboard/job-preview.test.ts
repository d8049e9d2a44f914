import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { resultsPreview } from '../../../src/faces/dashboard/jobs/preview.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';

test('numbers of a job’s preview have their thousands apart, and stand to the right', async () => {
  const line = `${JSON.stringify({ input: {}, data: { username: 'mira.kettle', follower_count: 1234567 } })}\n`;
  const results = {
    bytes: line.length,
    async *read() {
      yield Buffer.from(line);
    },
    close: async () => undefined,
  };
  const jobs = { endpoints, results: { open: async () => results } } as unknown as Jobs;
  const preview = await resultsPreview(jobs, 'account', { id: 'job', endpoint: 'shortvideo/profile' });
  const at = preview?.columns.findIndex(({ title }) => title === 'follower_count') ?? -1;
  assert.equal(preview?.columns[at]?.numeric, true);
  assert.equal(preview?.rows[0]?.[at], '1,234,567');
});
