import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
import { ErrorRoute } from '../../lib/errors/outcomes.js';
import { merge, readBy } from '../../lib/routes/merge.js';
import type { ObjectReading, Route } from '../../lib/routes/route.js';
import { type Walk, walk } from '../../lib/routes/walk.js';
import type { PageSession } from '../../lib/web/page-source.js';

interface Lamp {
  readonly name: string;
}

const session: PageSession = {
  fetch: () => assert.fail('Nothing is fetched here.'),
  cookie: () => null,
  end: (error) => error,
};
const request = { identity: 'lamp', limit: 1, part: null, session, overrides: null, refusedLately: [] };

/** A route that answers, or fails by a code. */
const route = (
  name: string,
  code: ErrorCode | null,
  missing: Route<string, unknown>['missing'] = 'witness',
) =>
  ({
    ...{ name, reads: '', surface: name, seen: { month: '2026-11', from: ['home'] }, fills: {}, missing },
    async read() {
      if (code !== null) throw new ExtractError(code, `The ${name} failed.`);
      return { data: { name }, source: { id: 'lamp', url: null, author: null } };
    },
  }) as const satisfies Route<string, ObjectReading<Lamp>>;

const notFound = (name: string) => route(name, 'profile_not_found');
const codeOf = (ladder: Walk<string, ObjectReading<Lamp>>) =>
  walk(ladder, request).then(
    () => 'answer',
    (error: ExtractError) => error.code,
  );

describe('“not found” where several places have to agree', () => {
  const failing = route('page', 'platform_blocked');

  test('takes as many of them as the ladder says, its witnesses included', async () => {
    const routes = [notFound('embed'), failing, notFound('document')];
    assert.equal(await codeOf({ routes }), 'profile_not_found');
    assert.equal(await codeOf({ routes, agreeing: 3 }), 'platform_blocked');
    assert.equal(await codeOf({ routes, agreeing: 3, witnesses: [notFound('oembed')] }), 'profile_not_found');
    assert.equal(await codeOf({ routes, agreeing: 3, witnesses: [failing] }), 'platform_blocked');
    assert.equal(
      await codeOf({ routes, agreeing: 3, witnesses: [route('oembed', null)] }),
      'platform_blocked',
    );
  });

  test('takes one where that proves it', async () => {
    const proof = route('page', 'profile_not_found', 'proof');
    assert.equal(await codeOf({ routes: [proof], agreeing: 3 }), 'profile_not_found');
  });
});

test('the error is that of the route which tells, with what the other routes did', async () => {
  const page = route('page', 'platform_login_required');
  const routes = [route('embed', 'platform_blocked'), page];
  assert.equal(await codeOf({ routes }), 'platform_blocked');
  assert.equal(await codeOf({ routes, tells: page }), 'platform_login_required');
  await assert.rejects(walk({ routes, tells: page }, request), {
    message: /^The page failed\. embed: The embed failed\./,
  });
});

test('a refusal is no address’s where another place answers that it shows nothing of the subject', async () => {
  const errorRoute = {
    ...route('document', null),
    async read() {
      throw new ErrorRoute('lamp');
    },
  };
  const restricted = route('embed', 'platform_restricted');
  for (const [routes, expected] of [
    [[route('page', 'platform_blocked'), restricted], true],
    [[route('page', 'platform_rate_limited'), restricted], false],
    [[route('page', 'platform_blocked'), errorRoute], false],
    [[route('page', 'platform_blocked'), route('embed', 'platform_unavailable')], false],
  ] as const) {
    const error = await walk({ routes }, request).then(
      () => assert.fail(),
      (error: ExtractError) => error,
    );
    assert.equal(error.answeredElsewhere, expected, error.message);
  }
});

test('a smaller picture gives way to the whole one, and is no rounded number', () => {
  const small = { fills: { picture: 'smaller' } } as const;
  const noFills = { fills: {} };
  const listed = readBy({ picture: 'small.jpg' }, small);
  assert.deepEqual([...listed.rounded], []);
  assert.equal(merge(listed, readBy({ picture: 'whole.jpg' }, noFills)).data.picture, 'whole.jpg');
  assert.equal(merge(listed, readBy({ picture: 'other.jpg' }, small)).data.picture, 'small.jpg');
  assert.equal(merge(readBy({ picture: 'whole.jpg' }, noFills), listed).data.picture, 'whole.jpg');
});
