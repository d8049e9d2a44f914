import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';
import { leaves } from './without.js';

/** What a page says in words: without a leaf it is unknown or the same, never something else. */
const words = ['username', 'name', 'biography', 'shortcode', 'media_type', 'caption', 'text', 'timestamp'];

const itemsOf = (data: unknown) => [data].flat() as Record<string, unknown>[];

function sameOrUnknown(whole: unknown, left: unknown): void {
  const before = itemsOf(whole);
  const after = itemsOf(left);
  if (before.length !== after.length) return;
  for (const [index, item] of after.entries()) {
    for (const word of words) {
      if (item[word] !== undefined && item[word] !== null)
        assert.equal(item[word], before[index]?.[word], word);
    }
  }
}

/** Any leaf may be missing: the answer is still one by the contract, and no post takes another’s values. */
async function survives(endpoint: Endpoint, name: string): Promise<void> {
  const one = (await casesOf(endpoint)).find((each) => each.name === name);
  assert.ok(one, name);
  const source = () => routeSource(sampleFiles(endpoint.path), one.pages);
  const [whole] = await pagesOf(endpoint, one, source(), 1);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 100_000 }), async (at) => {
      const broken = altered(source(), (text) => {
        const { count, drop } = leaves(text);
        return count === 0 ? text : drop(at % count);
      });
      try {
        const [left] = await pagesOf(endpoint, one, broken, 1);
        sameOrUnknown(whole, left);
      } catch (error) {
        if (!(error instanceof ExtractError)) throw error;
        assert.ok(['platform', 'not_found'].includes(error.type), `${error.code} ${error.message}`);
      }
    }),
    { numRuns: 60, seed: 4 },
  );
}

for (const endpoint of endpoints.filter(({ platform }) => platform === 'photosocial')) {
  const cases = (await casesOf(endpoint)).filter(({ expect }) => expect !== undefined);
  for (const { name } of cases) {
    test(`${endpoint.path}, ${name}: without any one leaf`, () => survives(endpoint, name));
  }
}
