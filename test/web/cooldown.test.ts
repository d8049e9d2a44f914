import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { ErrorRoute } from '../../lib/errors/outcomes.js';
import { site as shortvideo } from '../../lib/platforms/shortvideo/site.js';
import { CallAbort } from '../../lib/runtime/abort.js';
import { Cooldown } from '../../lib/web/cooldown.js';
import { networkDefaults } from '../../lib/web/network.js';
import type { Attempt } from '../../lib/web/page-source.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import type { Throttle } from '../../lib/web/throttle.js';
import { FakeClock } from '../support/fake-clock.js';
import type { Handler } from '../support/loopback.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { throttleOf } from '../support/throttle.js';
import { served } from './served.js';

const minute = 60_000;
const never = new AbortController().signal;
const blocked = new ExtractError('platform_blocked', 'The page asks for a captcha.');

describe('a cool-down', () => {
  test('starts with a refusal, and its message says until when', async () => {
    const clock = new FakeClock();
    const cooldown = new Cooldown('shortvideo', minute, clock);
    cooldown.check();
    cooldown.recordRefusal('platform_blocked', undefined);
    await clock.advance(18_500);
    assert.throws(() => cooldown.check(), {
      name: 'ExtractError',
      code: 'platform_blocked',
      retryAfter: 42,
      message:
        'shortvideo refused at 2026-01-01T00:00:00Z and gets the next request in 42 s; no request was made.',
    });
    await clock.advance(41_500);
    cooldown.check();
  });

  for (const [asked, seconds] of [
    [7, 7],
    [3600, 3600],
    [365 * 86_400, 86_400],
    [0, 60],
  ] as const) {
    test(`lasts ${seconds} s if the platform asks for ${asked} s`, () => {
      const cooldown = new Cooldown('maps', minute, new FakeClock());
      cooldown.recordRefusal('platform_rate_limited', asked);
      assert.throws(() => cooldown.check(), { code: 'platform_rate_limited', retryAfter: seconds });
    });
  }
});

describe('a session that ends with a refusal', () => {
  const begin = (t: TestContext, handler?: Handler, ms = 0) => {
    const site = { surfaces: { page: { ms, concurrency: 1 } } };
    return served(t, handler, { cooldownMs: minute, site }).then((one) => ({
      ...one,
      open: () => one.source.open(testSite(site)),
    }));
  };

  test('stops requests to its platform, and to no other, until the cool-down ends', async (t) => {
    const { clock, server, source, open } = await begin(t);
    open().end(blocked);
    assert.throws(open, { code: 'platform_blocked', retryAfter: 60 });
    await source.open(testSite({ platform: 'maps' })).fetch({ url: server.origin });
    await clock.advance(minute);
    await open().fetch({ url: server.origin });
    assert.equal(server.requests.length, 2);
  });

  for (const [title, error, seconds] of [
    ['an answer', undefined, 60],
    ['“not found”', new ExtractError('profile_not_found'), 60],
    ['an unreachable platform', new ExtractError('platform_unavailable'), 120],
    ['a fault of ours', new TypeError('x'), 120],
  ] as const) {
    test(`starts a cool-down of ${seconds} s if it comes after ${title}`, async (t) => {
      const { clock, open } = await begin(t);
      open().end(blocked);
      await clock.advance(minute);
      open().end(error);
      open().end(blocked);
      assert.throws(open, { retryAfter: seconds });
    });
  }

  for (const code of [undefined, 'profile_not_found', 'platform_changed'] as const) {
    test(`keeps the time that a 429 names, although the session ends with ${code ?? 'an answer'}`, async (t) => {
      const { clock, session, fetch, open } = await begin(t, (_request, response) => {
        response.writeHead(429, { 'retry-after': '600' }).end();
      });
      await fetch();
      session.end(code && new ExtractError(code));
      assert.throws(open, { code: 'platform_rate_limited', retryAfter: 600 });
      await clock.advance(10 * minute);
      open();
    });
  }

  test('withholds the queued requests of others, which do not count as a second refusal', async (t) => {
    const { clock, server, session: first, fetch, open } = await begin(t, undefined, 1000);
    const second = open();
    await fetch();
    const queued = second.fetch({ url: server.origin });
    await clock.untilSleeping(1);
    first.end(blocked);
    const error = await clock.passing(queued).catch((caught: unknown) => caught);
    assert.ok(error instanceof ExtractError);
    assert.deepEqual([error.code, error.retryAfter], ['platform_blocked', 59]);
    await clock.advance(500);
    second.end(error);
    assert.throws(open, { retryAfter: 59 });
    await clock.advance(58_500);
    open();
    assert.equal(server.requests.length, 1);
  });
});

describe('a refusal that a route reports', () => {
  const waitingPage: Attempt = {
    ...{ route: 'page', surface: 'page', outcome: 'platform_blocked' },
    cause: 'The platform served its waiting-room challenge instead of the page.',
  };

  test('stops the requests queued behind it before its session ends', async () => {
    const clock = new FakeClock();
    const throttle = throttleOf(shortvideo.surfaces, { clock });
    const [first, second] = [throttle.open('plain'), throttle.open('plain')];
    const names: string[] = [];
    const ask = (session: typeof first, name: string) =>
      session.run(async () => names.push(name), new CallAbort(), 'page');
    await ask(first, 'first');
    const queued = ask(second, 'second').catch((error: unknown) => error);
    await clock.untilSleeping(1);
    first.report(waitingPage);
    await clock.advance(3000);
    assert.match(String(await queued), /waiting-room challenge/);
    // Another route on the same surface may answer, so the session continues and its refusal counts once.
    await clock.passing(ask(first, 'first again'));
    first.end(undefined);
    assert.deepEqual(names, ['first', 'first again']);
    assert.equal(throttle.lane('page').cooldown.refusal()?.retryAfter, 54);
    assert.deepEqual(await throttle.refusedLately(), ['page']);
  });

  test('is not ended by an answer after another route on its surface failed', async () => {
    const clock = new FakeClock();
    const throttle = throttleOf({ page: { ms: 0, concurrency: 1 } }, { clock });
    const refused = throttle.open('plain');
    refused.report(waitingPage);
    refused.end(undefined);
    await clock.advance(minute);
    const session = throttle.open('plain');
    session.report({ ...waitingPage, outcome: 'platform_timeout' });
    session.report({ ...waitingPage, outcome: 'answered' });
    session.end(undefined);
    assert.deepEqual(await throttle.refusedLately(), ['page']);
  });

  test('reaches another process of the same home, for its surface or for the address', async (t) => {
    const clock = new FakeClock(Date.now());
    const home = temporaryFolder();
    const [one, other] = [0, 1].map(() => {
      const paceStore = paceInFile(home, clock);
      t.after(() => paceStore.close());
      return throttleOf(shortvideo.surfaces, { clock, paceStore });
    }) as [Throttle, Throttle];
    const session = one.open('plain');
    session.report(waitingPage);
    session.end(undefined);
    await one.flush();
    assert.deepEqual(await other.refusedLately(), ['page']);
    const theirs = other.open('plain');
    await assert.rejects(theirs.check('page'), /waiting-room challenge/);
    await theirs.check('embed');
    theirs.report({ ...waitingPage, route: 'embed', surface: 'embed', scope: 'address' });
    theirs.end(undefined);
    await other.flush();
    await clock.advance(5000);
    await assert.rejects(one.open('plain').check('api'), /gets the next request in 35\d\d s/);
    assert.throws(() => one.open('plain'), /shortvideo refused/);
  });
});

/** A platform that refuses some subjects, and records its requests. */
function refusing(...refused: readonly string[]) {
  const clock = new FakeClock();
  const throttle = throttleOf({ page: { ms: 0, concurrency: 8 } }, { clock });
  const requested: string[] = [];
  /** Returns the result of a call: an answer, a refusal, or a refusal from memory. */
  async function call(subject: string, account?: string, error = blocked) {
    try {
      const session = throttle.open('plain', { subject, account });
      await session.run(async () => requested.push(subject), never);
      const isRefused = refused.includes(subject);
      session.end(isRefused ? error : undefined);
      return isRefused ? 'refused' : 'answer';
    } catch (caught) {
      assert.equal((caught as ExtractError).code, 'platform_blocked');
      return 'remembered';
    }
  }
  return { call, clock, throttle, requested };
}

describe('a subject that the platform refuses alone', () => {
  test('is refused from memory, and ten accounts next to a persistent one lose nothing', async () => {
    const { call, clock, requested } = refusing('withheld');
    const outcomes = new Set<string>();
    for (let second = 0; second < 600; second += 1) {
      await call('withheld');
      outcomes.add(await call(`good${second % 10}`));
      await clock.advance(1000);
    }
    assert.deepEqual([...outcomes], ['answer']);
    // After 1, 2 and 4 minutes: the subject has its own pause, which doubles.
    assert.equal(requested.filter((subject) => subject === 'withheld').length, 4);
  });

  test('does not move the routes of other subjects to the end', async () => {
    const { call, throttle } = refusing('withheld');
    await call('withheld');
    assert.deepEqual(await throttle.refusedLately({ subject: 'good' }), []);
    assert.deepEqual(await throttle.refusedLately({ subject: 'withheld' }), ['page']);
  });
});

describe('an account that requests only withheld subjects', () => {
  const withheld = Array.from({ length: 50 }, (_, at) => `withheld${at}`);

  test('waits alone: the ten accounts next to it lose nothing', async () => {
    const { call, clock, requested } = refusing(...withheld);
    const outcomes = new Set<string>();
    for (let second = 0; second < 600; second += 1) {
      // Several in a row, with no answer in between.
      for (const subject of withheld.slice(0, 5 + (second % 40))) await call(subject, 'hostile');
      outcomes.add(await call(`page${second}`, `good${second % 10}`));
      await clock.advance(1000);
    }
    assert.deepEqual([...outcomes], ['answer']);
    const refused = requested.filter((subject) => subject.startsWith('withheld')).length;
    assert.ok(refused < 15, `${refused} refused requests`);
  });

  test('may request again after an answer', async () => {
    const { call, clock } = refusing(...withheld);
    for (const subject of withheld.slice(0, 2)) assert.equal(await call(subject, 'one'), 'refused');
    assert.equal(await call('page', 'one'), 'remembered');
    await clock.advance(minute);
    assert.equal(await call('page', 'one'), 'answer');
    assert.equal(await call('withheld9', 'one'), 'refused');
    assert.equal(await call('page', 'one'), 'answer');
  });

  test('does not hide that the platform refuses a second account, too', async () => {
    const { call } = refusing(...withheld);
    for (const subject of withheld.slice(0, 8)) await call(subject, 'one');
    assert.equal(await call('withheld9', 'other'), 'refused');
    assert.equal(await call('page', 'third'), 'remembered');
  });
});

describe('a platform that refuses every visitor', () => {
  test('rests after two refused subjects with no answer between them', async () => {
    const { call, clock } = refusing('a', 'b');
    const results = [await call('a'), await call('b'), await call('good')];
    assert.deepEqual(results, ['refused', 'refused', 'remembered']);
    await clock.advance(minute);
    assert.equal(await call('good'), 'answer');
  });

  test('rests immediately if its message is about the visitor, the address, or a time', async () => {
    for (const details of [{ scope: 'surface' }, { scope: 'address' }, { retryAfter: 30 }] as const) {
      const { call } = refusing('a');
      const error = new ExtractError('platform_blocked', 'No.', details);
      assert.deepEqual([await call('a', undefined, error), await call('good')], ['refused', 'remembered']);
    }
  });

  test('is not concluded from an answer to a request from before the refusal', async () => {
    const { call, throttle, clock } = refusing('withheld');
    const before = throttle.open('plain', { subject: 'good' });
    await before.run(async () => undefined, never);
    await clock.advance(1000);
    await call('withheld');
    before.end(undefined);
    assert.equal(await call('other'), 'answer');
  });
});

describe('the error page instead of subjects', () => {
  /** Ends sessions with an error page or something else, under the cool-down of a new installation. */
  function platform() {
    const { cooldownMs } = networkDefaults;
    const throttle = throttleOf({ page: { ms: 3000, concurrency: 1 } }, { cooldownMs });
    const end = (error?: unknown, account?: string) => throttle.open('plain', { account }).end(error);
    /** Returns the error code of a session that ends with an error page, or that may not start. */
    const errorPageOf = (subject: string, account?: string): string => {
      try {
        return (end(new ErrorRoute(subject), account) as ExtractError).code;
      } catch (error) {
        return `cooling down: ${(error as ExtractError).code}`;
      }
    };
    return { errorPageOf, end };
  }
  const four = ['a', 'b', 'c', 'd'];
  const [final, refused] = ['platform_restricted', 'platform_blocked'];

  test('is final for each of four subjects, however often, and no cool-down starts', () => {
    const { errorPageOf } = platform();
    const subjects = [...four, ...Array(9).fill('a')];
    for (const subject of subjects) assert.equal(errorPageOf(subject), final);
  });

  test('is a refusal of every visitor at the fifth subject in a row', () => {
    const { errorPageOf } = platform();
    for (const subject of four) errorPageOf(subject);
    assert.deepEqual([errorPageOf('e'), errorPageOf('f')], [refused, `cooling down: ${refused}`]);
  });

  test('is a refusal of one account if only that account gets it', () => {
    const { errorPageOf } = platform();
    for (const subject of four) errorPageOf(subject, 'one');
    assert.deepEqual(
      [errorPageOf('e', 'one'), errorPageOf('f', 'one')],
      [refused, `cooling down: ${refused}`],
    );
    assert.equal(errorPageOf('g', 'other'), refused);
    assert.equal(errorPageOf('h', 'third'), `cooling down: ${refused}`);
  });

  for (const [code, fifth] of [
    [undefined, final],
    ['profile_not_found', final],
    // Other failures say nothing about it.
    ['platform_timeout', refused],
  ] as const) {
    test(`is ${fifth} at the fifth subject after ${code ?? 'an answer'}`, () => {
      const { errorPageOf, end } = platform();
      for (const subject of four) errorPageOf(subject);
      end(code && new ExtractError(code));
      assert.equal(errorPageOf('e'), fifth);
    });
  }
});
