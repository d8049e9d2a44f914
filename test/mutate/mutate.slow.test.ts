import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { mutate, type Outcome, type Selection } from './mutate.js';

/** One of so many changes: `npm run mutate` makes all of them, of the real captures too. */
const every = 60;

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

describe('the machine that changes pages', () => {
  const places = endpoints.find(({ path }) => path === 'maps/places') as Endpoint;
  const instead = (answer: () => ReturnType<Endpoint['read']>): Endpoint => ({
    ...places,
    read: (context) => places.read(context).catch(answer),
  });

  for (const [kind, answer] of [
    ['empty list', async () => ({ data: [], ids: [], emptyProof: { none: true } })],
    [
      'not found',
      async () => {
        throw new ExtractError('place_not_found');
      },
    ],
    [
      'crash',
      async () => {
        throw new TypeError('x');
      },
    ],
  ] as const) {
    test(`finds a reader that makes of a changed page: ${kind}`, async () => {
      const kinds = broken(await outcomesOf(instead(answer))).flatMap(({ breaches }) => breaches);
      assert.ok(kinds.some((breach) => breach.kind === kind));
    });
  }

  test('finds a value that the page does not hold', async () => {
    let calls = 0;
    const read: Endpoint['read'] = async (context) => {
      const reading = await places.read(context);
      calls += 1;
      const data = (reading.data as { name: string }[]).map((one) => ({ ...one, name: `name ${calls}` }));
      return { ...reading, data };
    };
    const breaches = broken(await outcomesOf({ ...places, read })).flatMap((one) => one.breaches);
    assert.ok(breaches.some(({ kind, path }) => kind === 'foreign value' && path === '[].name'));
  });
});
