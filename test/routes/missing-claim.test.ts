import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { MissingClaim } from '../../lib/routes/missing-claim.js';
import type { Route } from '../../lib/routes/route.js';
import { walk } from '../../lib/routes/walk.js';

const request = {
  identity: 'mira',
  limit: 1,
  part: null,
  session: { fetch: () => assert.fail('fetched'), cookie: () => null, end: () => undefined },
  overrides: null,
  refusedLately: [],
};

const claim = () => new MissingClaim('video_not_found', 'There is none.');
const refused = () => new ExtractError('platform_blocked', 'A waiting page.');

/** Routes and witnesses by name; each throws its error or answers. */
function world(places: Readonly<Record<string, ExtractError | string>>) {
  const order: string[] = [];
  const routes = Object.entries(places).map(
    ([name, outcome]): Route<string, string> => ({
      name,
      reads: 'A page.',
      surface: name,
      seen: { month: '2026-11', from: ['home'] },
      fills: {},
      async read() {
        order.push(name);
        if (outcome instanceof ExtractError) throw outcome;
        return outcome;
      },
    }),
  );
  const isWitness = ({ name }: { readonly name: string }) => name === 'witness';
  const ladder = {
    routes: routes.filter((route) => !isWitness(route)),
    witnesses: routes.filter(isWitness),
    withheld: () => new ExtractError('platform_restricted', 'It is withheld.'),
    unconfirmed: () => new ExtractError('platform_unavailable', 'Nobody knows.'),
  };
  return { order, walked: walk<string, string>(ladder, request) };
}

describe('a claim that something is missing', () => {
  test('ends the walk beside a witness, who is asked at once', async () => {
    const witness = new ExtractError('video_not_found');
    const { order, walked } = world({ page: claim(), embed: 'an answer', witness });
    await assert.rejects(walked, { code: 'video_not_found', message: /^There is none/ });
    assert.deepEqual(order, ['page', 'witness']);
  });

  test('is no more than a claim if another place says it, too', async () => {
    const { order, walked } = world({ page: claim(), embed: claim(), witness: refused() });
    await assert.rejects(walked, { code: 'platform_unavailable', message: /^Nobody knows/ });
    assert.deepEqual(order, ['page', 'witness', 'embed'], 'the witness is asked once');
  });

  test('is wrong if a further place answers', async () => {
    for (const witness of ['it exists', refused()]) {
      const { walked } = world({ page: claim(), embed: 'an answer', witness });
      assert.equal((await walked).answer, 'an answer');
    }
  });

  test('is a word for what is withheld if a witness knows it', async () => {
    const { walked } = world({ page: claim(), embed: refused(), witness: 'it exists' });
    await assert.rejects(walked, {
      code: 'platform_restricted',
      message: /^It is withheld\. embed: A waiting page\./,
    });
  });

  test('stands behind a refusal if nobody confirms it', async () => {
    const { walked } = world({ page: claim(), embed: refused(), witness: refused() });
    await assert.rejects(walked, { code: 'platform_blocked' });
  });
});

describe('a route that a subject has no place in', () => {
  test('is not asked', async () => {
    const route = (name: string, applies: boolean): Route<string, string> => ({
      name,
      reads: 'A page.',
      surface: name,
      seen: { month: '2026-11', from: ['home'] },
      fills: {},
      applies: () => applies,
      read: async () => name,
    });
    const { answer, failed } = await walk({ routes: [route('tag', false), route('words', true)] }, request);
    assert.deepEqual([answer, failed], ['words', []]);
  });
});
