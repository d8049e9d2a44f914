import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { runCall } from '../../scripts/capture/exchanges.js';
import { capturedCasesOf } from '../support/captured-cases.js';

const all = endpoints.flatMap((endpoint) => capturedCasesOf(endpoint).map((one) => ({ endpoint, one })));

for (const { endpoint, one } of all) {
  test(`${endpoint.path}, as captured: ${one.name}`, async () => {
    // A list may continue after the captured pages.
    const maxPages = one.error === undefined ? one.answers.length : Number.POSITIVE_INFINITY;
    const { pages, error } = await runCall(endpoint, one.params, one.open(), maxPages);
    assert.equal(error?.code, one.error);
    assert.deepEqual(
      pages.map(({ data }) => data),
      one.answers,
    );
  });
}

test('every platform has captured cases', () => {
  const platforms = new Set(endpoints.map(({ platform }) => platform));
  assert.deepEqual(new Set(all.map(({ endpoint }) => endpoint.platform)), platforms);
});
