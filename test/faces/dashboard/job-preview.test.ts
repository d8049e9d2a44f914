import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { resultsPreview } from '../../../src/faces/dashboard/jobs/preview.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';

/** The preview of a job whose results are one line. */
function previewOf(endpoint: string, data: unknown, more: object = {}) {
  const line = `${JSON.stringify({ input: {}, data, ...more })}\n`;
  const results = {
    bytes: line.length,
    async *read() {
      yield Buffer.from(line);
    },
    close: async () => undefined,
  };
  const jobs = { endpoints, results: { open: async () => results } } as unknown as Jobs;
  return resultsPreview(jobs, 'account', { id: 'job', endpoint });
}

test('numbers of a job’s preview have their thousands apart, and stand to the right', async () => {
  const preview = await previewOf('shortvideo/profile', { username: 'mira.kettle', follower_count: 1234567 });
  const at = preview?.columns.findIndex(({ title }) => title === 'follower_count') ?? -1;
  assert.equal(preview?.columns[at]?.numeric, true);
  assert.equal(preview?.rows[0]?.[at], '1,234,567');
});

test('words of a list stand in a job’s preview as people write them', async () => {
  const preview = await previewOf('maps/places', [{ name: 'Lindeneck', categories: ['Bakery', 'Café'] }]);
  assert.ok(preview?.rows[0]?.includes('Bakery, Café'));
});

test('a job’s preview says where a list is a part of what there is', async () => {
  const coverage = { given: 1, total: 713, ended: 'visitors', ignored: [], rounded: [], routes: [] };
  const part = await previewOf('photosocial/posts', [{ caption: 'Lamps' }], { coverage });
  assert.deepEqual(part?.coverage, ['1 of 713 posts: Instagram shows visitors no more.']);
  const whole = await previewOf('photosocial/posts', [{ caption: 'Lamps' }], {
    coverage: { ...coverage, total: 1, ended: 'end' },
  });
  assert.deepEqual(whole?.coverage, []);
});
