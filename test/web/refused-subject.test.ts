import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { Throttle } from '../../lib/web/throttle.js';
import { FakeClock } from '../support/fake-clock.js';
import { uncounted } from '../support/uncounted.js';

/** A platform that refuses some subjects, and records its requests. */
function platform(refuses: ReadonlyMap<string, ExtractError>) {
  const clock = new FakeClock();
  const page = { ms: 0, concurrency: 8 };
  const throttle = new Throttle(
    { platform: 'shortvideo', surfaces: { page } },
    { gap: () => page, cooldownMs: 60_000, clock, counter: uncounted },
  );
  const subjects: string[] = [];
  /** What a call comes to: an answer, a refusal, or one from memory. */
  async function call(subject: string, account?: string): Promise<'answer' | 'refused' | 'remembered'> {
    try {
      const session = throttle.open('plain', { subject, account });
      await session.run(async () => subjects.push(subject), new AbortController().signal);
      const error = refuses.get(subject);
      session.end(error);
      return error === undefined ? 'answer' : 'refused';
    } catch (error) {
      assert.equal((error as ExtractError).code, 'platform_blocked');
      return 'remembered';
    }
  }
  return { call, clock, throttle, asked: subjects };
}

const blocked = new ExtractError('platform_blocked', 'The page asks for a captcha.');

describe('a subject that the platform refuses alone', () => {
  test('is refused from memory, and the ten accounts next to a persistent one lose nothing', async () => {
    const { call, clock, asked: subjects } = platform(new Map([['withheld', blocked]]));
    const outcomes: string[] = [];
    for (let second = 0; second < 600; second += 1) {
      await call('withheld');
      outcomes.push(await call(`good${second % 10}`));
      await clock.advance(1000);
    }
    assert.deepEqual(new Set(outcomes), new Set(['answer']));
    // After 1, 2 and 4 minutes: the subject has its own pause, which doubles.
    assert.equal(subjects.filter((subject) => subject === 'withheld').length, 4);
  });

  test('makes no route of others the last one to be asked', async () => {
    const { call, throttle } = platform(new Map([['withheld', blocked]]));
    await call('withheld');
    assert.deepEqual(await throttle.refusedLately({ subject: 'good' }), []);
    assert.deepEqual(await throttle.refusedLately({ subject: 'withheld' }), ['page']);
  });
});

describe('an account that asks for nothing but withheld subjects', () => {
  const withheld = Array.from({ length: 50 }, (_, at) => `withheld${at}`);
  const refuses = new Map(withheld.map((subject) => [subject, blocked] as const));

  test('waits first: the ten accounts next to it lose nothing', async () => {
    const { call, clock, asked: subjects } = platform(refuses);
    const outcomes: string[] = [];
    for (let second = 0; second < 600; second += 1) {
      // Several in a row, with no answer in between.
      for (const subject of withheld.slice(0, 5 + (second % 40))) await call(subject, 'hostile');
      outcomes.push(await call(`page${second}`, `good${second % 10}`));
      await clock.advance(1000);
    }
    assert.deepEqual(new Set(outcomes), new Set(['answer']));
    const refused = subjects.filter((subject) => subject.startsWith('withheld')).length;
    assert.ok(refused < 15, `${refused} refused requests`);
  });

  test('is asked about again once it was answered', async () => {
    const { call, clock } = platform(refuses);
    for (const subject of withheld.slice(0, 2)) assert.equal(await call(subject, 'one'), 'refused');
    assert.equal(await call('page', 'one'), 'remembered');
    await clock.advance(60_000);
    assert.equal(await call('page', 'one'), 'answer');
    assert.equal(await call('withheld9', 'one'), 'refused');
    assert.equal(await call('page', 'one'), 'answer');
  });

  test('does not hide that the platform refuses a second account, too', async () => {
    const { call } = platform(refuses);
    for (const subject of withheld.slice(0, 8)) await call(subject, 'one');
    assert.equal(await call('withheld9', 'other'), 'refused');
    assert.equal(await call('page', 'third'), 'remembered');
  });
});

describe('a platform that refuses every visitor', () => {
  test('is left alone after two subjects with no answer between them', async () => {
    const { call, clock } = platform(
      new Map([
        ['a', blocked],
        ['b', blocked],
      ]),
    );
    assert.deepEqual(
      [await call('a'), await call('b'), await call('good')],
      [...['refused', 'refused', 'remembered']],
    );
    await clock.advance(60_000);
    assert.equal(await call('good'), 'answer');
  });

  test('is left alone immediately if its message is about the visitor, the address, or a time', async () => {
    for (const details of [{ scope: 'surface' }, { scope: 'address' }, { retryAfter: 30 }] as const) {
      const { call } = platform(new Map([['a', new ExtractError('platform_blocked', 'No.', details)]]));
      assert.deepEqual([await call('a'), await call('good')], ['refused', 'remembered']);
    }
  });

  test('an answer to what was asked before the refusal does not make it everybody’s', async () => {
    const { call, throttle, clock } = platform(new Map([['withheld', blocked]]));
    const before = throttle.open('plain', { subject: 'good' });
    await before.run(async () => undefined, new AbortController().signal);
    await clock.advance(1000);
    await call('withheld');
    before.end(undefined);
    assert.equal(await call('other'), 'answer');
  });
});
