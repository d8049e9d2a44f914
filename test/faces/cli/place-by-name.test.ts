import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argv, assertExit, extract } from '../../support/cli.js';
import { anAnswer } from '../../support/invented-rows.js';

/** Runs a command whose searches find these places, and returns the calls that it makes. */
async function runFinding(places: readonly unknown[], ...args: string[]) {
  const calls: string[] = [];
  const ran = await extract(args, {
    extractor: {
      async answer({ path, many }, { query, place_id }) {
        calls.push(`${path} ${query ?? place_id}`);
        return anAnswer(path === 'maps/places' ? places : many ? [] : {});
      },
    },
  });
  return { ...ran, calls };
}

const [paris, macao, vegas] = [
  ['ChIJLU7jZClu5kcR4PcOOO6p3I0', 'Eiffel Tower', 'Av. Gustave Eiffel, Paris'],
  ['ChIJNdCbN7F6ATQRAPmBpWHUzqI', 'Eiffel Tower', 'Cotai, Macao'],
  ['ChIJ_T5iFDDEyIARe-LLCGIqZRc', 'Eiffel Tower Viewing Deck', null],
].map(([place_id, name, formatted_address]) => ({ place_id, name, formatted_address }));

describe('a place by its name', () => {
  test('is the only one that the search finds', async () => {
    const { calls } = assertExit(await runFinding([vegas], 'google-maps', 'place', 'eiffel vegas'), 0);
    assert.deepEqual(calls, ['maps/places eiffel vegas', `maps/place ${vegas?.place_id}`]);
  });

  test('is the only one of that name, and its reviews and photos are read, too', async () => {
    for (const endpoint of ['place', 'reviews', 'photos']) {
      const { calls } = await runFinding([vegas, paris], 'maps', endpoint, 'EIFFEL tower');
      assert.deepEqual(calls, ['maps/places EIFFEL tower', `maps/${endpoint} ${paris?.place_id}`]);
    }
  });

  test('is listed where several may be meant', async () => {
    const ran = await runFinding([paris, macao], 'maps', 'place', 'Eiffel Tower');
    const row = /ChIJLU7jZClu5kcR4PcOOO6p3I0 {2}Eiffel Tower, Av\. Gustave Eiffel, Paris/;
    assertExit(ran, 2, /Several places match/, row, /ChIJNdCbN7F6ATQRAPmBpWHUzqI/);
    assert.deepEqual(ran.calls, ['maps/places Eiffel Tower']);
  });

  test('is not found if the search finds nothing', async () => {
    const ran = await runFinding([], 'maps', 'place', 'Nowhere Inn');
    assertExit(ran, 4, /place_not_found.*Check the spelling, or add the town/);
  });

  test('is a sample with --demo', async () => {
    const { out } = assertExit(await extract(argv`google-maps place ${'Eiffel Tower'} --demo --json`), 0);
    assert.match(JSON.parse(out).data.name, /\(sample, language de\)$/);
    const { err } = await extract(argv`google-maps place ${'Eiffel Tower'} --demo`, { stderrIsTTY: true });
    assert.match(err, /ChIJ\S{23} {2}a sample, which is not "Eiffel Tower"/);
  });

  for (const id of [`${paris?.place_id}`, `${paris?.place_id}x`, '8FVC9G8F+6X', '48.85, 2.29'])
    test(`is not searched for ${id}`, async () => {
      const { calls } = await runFinding([], 'maps', 'place', id);
      assert.deepEqual(calls, [`maps/place ${id}`]);
    });
});

describe('words that a platform cannot look up', () => {
  for (const [args, says] of [
    [argv`linkedin profile ${'Ada Lovelace'} --demo`, /no public search for people.*Find the profile of Ada/],
    [['linkedin', 'acme'], /Did you mean extract linkedin profile acme or extract linkedin company acme\?/],
    [['linkedin', 'Ember & Clay'], /Did you mean extract linkedin company 'Ember & Clay'\?/],
    [argv`tiktok video nasa --demo`, /shortvideo\/videos lists the videos of an account/],
  ] as const) {
    test(`are explained: ${args.join(' ')}`, async () => {
      const { err } = assertExit(await extract(args), 2);
      assert.match(JSON.parse(err).error.message, says);
    });
  }
});
