import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
import { ErrorRoute } from '../../lib/errors/outcomes.js';
import { completeItems, type ItemIdentity } from '../../lib/routes/complete-items.js';
import { merge, readBy } from '../../lib/routes/merge.js';
import { MissingClaim } from '../../lib/routes/missing-claim.js';
import type { ObjectReading, Route } from '../../lib/routes/route.js';
import { type Walk, walk } from '../../lib/routes/walk.js';

const request = {
  ...{ identity: 'lamp', limit: 1, part: null, overrides: null, refusedLately: [] },
  session: { fetch: () => assert.fail('fetched'), cookie: () => null, end: () => undefined },
};

/** A route that throws an error, or answers with its name or another text. */
const route = (
  name: string,
  outcome: ExtractError | ErrorCode | string = name,
  over: Partial<Route<string, string>> = {},
): Route<string, string> => ({
  ...{ name, reads: '', surface: name, seen: { month: '2026-11', from: ['home'] }, fills: {} },
  missing: 'witness',
  async read() {
    if (outcome instanceof ExtractError) throw outcome;
    if (/^(?:platform|profile)_/.test(outcome))
      throw new ExtractError(outcome as ErrorCode, `The ${name} failed.`);
    return outcome;
  },
  ...over,
});

const notFound = (name: string) => route(name, 'profile_not_found');
const codeOf = (ladder: Walk<string, string>) =>
  walk(ladder, request).then(
    () => 'answer',
    (error: ExtractError) => error.code,
  );

describe('“not found” if several routes have to agree', () => {
  const failing = route('page', 'platform_blocked');

  test('takes as many of them as the ladder says, including its witnesses', async () => {
    const routes = [notFound('embed'), failing, notFound('document')];
    assert.equal(await codeOf({ routes }), 'profile_not_found');
    for (const [witnesses, code] of [
      [undefined, 'platform_blocked'],
      [[notFound('oembed')], 'profile_not_found'],
      [[failing], 'platform_blocked'],
      [[route('oembed')], 'platform_blocked'],
    ] as const)
      assert.equal(await codeOf({ routes, agreeing: 3, ...(witnesses && { witnesses }) }), code);
  });

  test('takes one route that proves it', async () => {
    const proof = route('page', 'profile_not_found', { missing: 'proof' });
    assert.equal(await codeOf({ routes: [proof], agreeing: 3 }), 'profile_not_found');
  });
});

test('the error is that of the route that tells, followed by those of the others', async () => {
  const page = route('page', 'platform_login_required');
  const routes = [route('embed', 'platform_blocked'), page];
  assert.equal(await codeOf({ routes }), 'platform_blocked');
  assert.equal(await codeOf({ routes, tells: page }), 'platform_login_required');
  const message = /^The page failed\. embed: The embed failed\./;
  await assert.rejects(walk({ routes, tells: page }, request), { message });
});

for (const [page, other, expected] of [
  ['platform_blocked', 'platform_restricted', true],
  ['platform_rate_limited', 'platform_restricted', false],
  ['platform_blocked', new ErrorRoute('lamp'), false],
  ['platform_blocked', 'platform_unavailable', false],
] as const) {
  const code = typeof other === 'string' ? other : 'the error page';
  test(`${page} next to ${code} is ${expected ? 'not ' : ''}a refusal of the address`, async () => {
    const walked = walk({ routes: [route('page', page), route('embed', other)] }, request);
    await assert.rejects(walked, { answeredElsewhere: expected });
  });
}

test('a smaller picture is replaced by the full one, and is not called rounded', () => {
  const [small, full] = [{ fills: { picture: 'smaller' } } as const, { fills: {} }];
  const listed = readBy({ picture: 'small.jpg' }, small);
  assert.deepEqual([...listed.rounded], []);
  assert.equal(merge(listed, readBy({ picture: 'whole.jpg' }, full)).data.picture, 'whole.jpg');
  assert.equal(merge(listed, readBy({ picture: 'other.jpg' }, small)).data.picture, 'small.jpg');
  assert.equal(merge(readBy({ picture: 'whole.jpg' }, full), listed).data.picture, 'whole.jpg');
});

test('a route that does not apply to the subject is skipped', async () => {
  const routes = [
    route('tag', 'tag', { applies: () => false }),
    route('words', 'words', { applies: () => true }),
  ];
  const { answer, failed } = await walk({ routes }, request);
  assert.deepEqual([answer, failed], ['words', []]);
});

describe('a claim that something is missing', () => {
  const claim = new MissingClaim('video_not_found', 'There is none.');
  const refused = new ExtractError('platform_blocked', 'A waiting page.');

  /** Walks routes and a witness by name, each of which throws its error or answers. */
  function claimed(outcomes: Readonly<Record<'page' | 'embed' | 'witness', ExtractError | string>>) {
    const order: string[] = [];
    const recorded = (name: keyof typeof outcomes): Route<string, string> => {
      const plain = route(name, outcomes[name]);
      return {
        ...plain,
        read(context) {
          order.push(name);
          return plain.read(context);
        },
      };
    };
    const ladder = {
      ...{ routes: [recorded('page'), recorded('embed')], witnesses: [recorded('witness')] },
      withheld: () => new ExtractError('platform_restricted', 'It is withheld.'),
      unconfirmed: () => new ExtractError('platform_unavailable', 'Nobody knows.'),
    };
    return { order, walked: walk<string, string>(ladder, request) };
  }

  test('is final if the witness confirms it, which is asked first', async () => {
    const witness = new ExtractError('video_not_found');
    const { order, walked } = claimed({ page: claim, embed: 'an answer', witness });
    await assert.rejects(walked, { code: 'video_not_found', message: /^There is none/ });
    assert.deepEqual(order, ['page', 'witness']);
  });

  test('stays a claim if another route says it, too, and the witness is asked once', async () => {
    const { order, walked } = claimed({ page: claim, embed: claim, witness: refused });
    await assert.rejects(walked, { code: 'platform_unavailable', message: /^Nobody knows/ });
    assert.deepEqual(order, ['page', 'witness', 'embed']);
  });

  test('is wrong if a further route answers', async () => {
    for (const witness of ['it exists', refused])
      assert.equal((await claimed({ page: claim, embed: 'an answer', witness }).walked).answer, 'an answer');
  });

  test('means that the subject is withheld if the witness knows it', async () => {
    const message = /^It is withheld\. embed: A waiting page\./;
    const { walked } = claimed({ page: claim, embed: refused, witness: 'it exists' });
    await assert.rejects(walked, { code: 'platform_restricted', message });
  });

  test('yields to a refusal if no other route confirms it', async () => {
    const { walked } = claimed({ page: claim, embed: refused, witness: refused });
    await assert.rejects(walked, { code: 'platform_blocked' });
  });
});

test('the pages of known items are not read, and the list is then incomplete', async () => {
  interface Job {
    readonly title: string;
    readonly description: string | null;
  }
  const readIds: string[] = [];
  const sourceOf = (id: string) => ({ id, url: null, author: null });
  const page: Route<ItemIdentity, ObjectReading<Job>> = {
    ...{ name: 'page', reads: 'A page.', surface: 'page', seen: { month: '2026-11', from: ['home'] } },
    fills: {},
    async read({ identity: { id } }) {
      readIds.push(id);
      return { data: { title: id, description: `About ${id}` }, source: sourceOf(id), partial: [] };
    },
  };
  const items = ['old', 'new'].map((id) => ({
    read: readBy<Job>({ title: id, description: null }, page, {}),
    source: sourceOf(id),
  }));
  const ladder = { routes: [{ route: page, fields: ['description'] as const }] };
  const known = { ...request, identity: null, limit: 2 };
  const completed = await completeItems(ladder, items, known, async (ids) => new Set(ids.slice(0, 1)));
  assert.deepEqual(readIds, ['new']);
  const descriptions = completed.items.map(({ read: { data } }) => data.description);
  assert.deepEqual(descriptions, [null, 'About new']);
  assert.equal(completed.isComplete, false);
  assert.equal((await completeItems(ladder, items, known)).isComplete, true);
});
