import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { askedKinds, type Kind } from './changes/change.js';
import { mutate, type Outcome, type Selection } from './mutate.js';

/** One of so many changes: `npm run mutate` makes all of them. */
const every = 120;

async function outcomesOf(endpoint: Endpoint, selection: Selection = { every }): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const outcome of mutate(endpoint, selection)) outcomes.push(outcome);
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
    test(`${endpoint.path}: are read for the requested subject, or refused`, async () => {
      const outcomes = await outcomesOf(endpoint, { only: ['joined'] });
      assert.ok(outcomes.length >= 4, `${outcomes.length} pages`);
      assert.deepEqual(broken(outcomes), []);
      assert.ok(outcomes.some(({ became }) => became !== 'known'));
    });
  }
});

describe('a page that contradicts itself, repeats itself or names another subject', () => {
  const kindsMade = new Set<Kind>();
  for (const endpoint of endpoints) {
    test(endpoint.path, async () => {
      const outcomes = await outcomesOf(endpoint, { only: [...askedKinds, 'swapped', 'cut'], every: 3 });
      const kinds = new Set(outcomes.map(({ kind }) => kind));
      assert.ok(kinds.size > 3, [...kinds].join());
      assert.deepEqual(broken(outcomes), []);
      for (const kind of kinds) kindsMade.add(kind);
    });
  }

  test('every kind of change was made', () => {
    assert.deepEqual([...kindsMade].sort(), [...askedKinds, 'cut', 'swapped'].sort());
  });
});
