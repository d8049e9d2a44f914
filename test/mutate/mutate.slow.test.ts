import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import type { Kind } from './changes/change.js';
import { mutate, type Outcome, type Selection } from './mutate.js';

/** One of so many changes: `npm run mutate` makes all of them, of the real captures too. */
const every = 120;

async function outcomesOf(endpoint: Endpoint, selection: Selection = { every }): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const outcome of mutate(endpoint, false, selection)) outcomes.push(outcome);
  return outcomes;
}

const broken = (outcomes: readonly Outcome[]) => outcomes.filter(({ became }) => became === 'broken');

describe('a page that changed', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: no empty list, no foreign value, no “not found”`, async () => {
      const outcomes = await outcomesOf(endpoint);
      assert.ok(outcomes.length > 0);
      assert.deepEqual(broken(outcomes), []);
    });
  }
});

describe('two pages in one', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: are read for the subject that was asked for, or refused`, async () => {
      const outcomes = await outcomesOf(endpoint, { only: 'joined' });
      assert.ok(outcomes.length >= 4, `${outcomes.length} pages`);
      assert.deepEqual(broken(outcomes), []);
      assert.ok(outcomes.some(({ became }) => became !== 'known'));
    });
  }
});

/** Where a page tells of its subject twice, or could tell of another one. */
const doubted: Readonly<Partial<Record<Endpoint['path'], readonly Kind[]>>> = {
  'maps/places': ['repeated'],
  'photosocial/profile': ['digits', 'repeated', 'sign'],
  'pronetwork/company': ['repeated', 'foreign block', 'sign'],
  'pronetwork/jobs': ['sign'],
  'pronetwork/profile': ['twins', 'repeated', 'foreign block', 'sign'],
  'shortvideo/comments': ['twins', 'repeated', 'foreign rows', 'foreign block'],
  'shortvideo/profile': ['twins', 'digits', 'repeated', 'foreign block'],
  'shortvideo/search': ['twins', 'digits', 'repeated', 'foreign block'],
  'shortvideo/video': ['twins', 'digits', 'repeated', 'foreign block'],
  'shortvideo/videos': ['twins', 'digits', 'repeated', 'foreign block'],
};

describe('a page that contradicts itself, repeats itself or names another subject', () => {
  for (const endpoint of endpoints) {
    for (const only of doubted[endpoint.path] ?? []) {
      test(`${endpoint.path}: ${only}`, async () => {
        const outcomes = await outcomesOf(endpoint, { only, every: 3 });
        assert.ok(outcomes.length > 0);
        assert.deepEqual(broken(outcomes), []);
      });
    }
  }
});
