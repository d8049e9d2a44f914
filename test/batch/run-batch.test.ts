import assert from 'node:assert/strict';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { type BatchItem, type BatchResult, type BatchSettings, runBatch } from '../../lib/batch/run-batch.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  type Reads,
  type TestClient,
  testClient,
  thingEndpoint,
  thingsEndpoint,
} from '../support/test-client.js';

const folder = temporaryFolder();
let count = 0;
let home: string;
let client: TestClient;
const open: TestClient[] = [];

beforeEach(() => {
  count += 1;
  home = path.join(folder, String(count));
  client = testClient(home);
  open.push(client);
});
after(() => Promise.all(open.map((one) => one.close())));

const thing = (name: string) => ({ data: { name, note: null } });

const named: Reads = async ({ name }) => {
  if (name.startsWith('missing')) throw new ExtractError('place_not_found', `There is no ${name}.`);
  return thing(name);
};

/** An input by the parameters, or by the name alone. */
type Input = string | Partial<BatchItem>;

async function* items(inputs: readonly Input[]): AsyncGenerator<BatchItem> {
  for (const [index, input] of inputs.entries())
    yield {
      index,
      params: null,
      fault: null,
      ...(typeof input === 'string' ? { params: { name: input } } : input),
    };
}

type Result = BatchResult<BatchItem>;

/** What came of each input: its data, or the code of its error. */
const shown = ({ json, error }: Result) => json ?? error?.code ?? null;

interface Taking extends Partial<BatchSettings> {
  readonly by?: TestClient;
  /** Leaves after so many. */
  readonly most?: number;
  readonly onResult?: (given: number) => void;
}

/** What a batch gives until it ends, and the error that ends it. */
async function take(
  endpoint: Endpoint,
  inputs: readonly Input[],
  { by = client, most, onResult, ...over }: Taking = {},
) {
  const given: Result[] = [];
  const settings = { id: 'batch_t', concurrency: 4, ...over };
  try {
    for await (const one of runBatch(by, endpoint, items(inputs), settings)) {
      given.push(one);
      onResult?.(given.length);
      if (given.length === most) break;
    }
    return { given, error: null };
  } catch (error) {
    return { given, error: error as ExtractError };
  }
}

/** What a batch gives. Rejects with the error that ends it. */
async function run(...asked: Parameters<typeof take>): Promise<Result[]> {
  const { given, error } = await take(...asked);
  if (error !== null) throw error;
  return given;
}

/** The rows of the ledger, and that it adds up. */
async function books() {
  const db = new Sqlite(path.join(home, 'ledger.db'));
  try {
    assert.deepEqual(imbalances(db), []);
    return db
      .prepare('SELECT id, status, credits_charged, credits_refunded FROM usage ORDER BY id')
      .raw()
      .all() as [string, string, number, number][];
  } finally {
    db.close();
  }
}

/** A client whose calls all fail. */
const failing = (error: ExtractError): TestClient => ({ ...client, answer: () => Promise.reject(error) });

const assertSpent = async (credits: number) =>
  assert.equal((await client.books.balance('local')).credits, 50_000 - credits);
const forgetAnswers = async () => (await client.cache()).clear();
const many = (to: number) => Array.from({ length: to }, (_, at) => `name${at}`);
/** The names in a list, separated by blanks. */
const namesIn = (result?: Result) =>
  (JSON.parse(result?.json ?? '') as { name: string }[]).map(({ name }) => name).join(' ');

describe('the inputs that are read concurrently', () => {
  test('are fewer of lists that take many requests each: the first of them end early', async () => {
    const atOnce = async (requests: number) => {
      let [now, most] = [0, 0];
      const endpoint = thingEndpoint(async ({ name }) => {
        now += 1;
        most = Math.max(most, now);
        await setImmediate();
        now -= 1;
        return thing(name);
      });
      const expected = { guest: requests };
      const names = Array.from({ length: 40 }, (_, at) => `${requests} ${at}`);
      const row = { ...endpoint, requests: () => ({ expected, most: expected }) };
      await run(row, names, { concurrency: undefined });
      return most;
    };
    assert.equal(await atOnce(2), 16);
    assert.equal(await atOnce(28), 4);
  });
});

describe('the money of a batch', () => {
  test('each input is charged once under the batch’s id and its index; a failed one is refunded', async () => {
    const results = await run(thingEndpoint(named), ['a', 'missing', 'b']);
    const [a, missing, b] = results.map((one) => [shown(one), one.charged, one.givenBack]);
    assert.deepEqual(a, ['{"name":"a","note":null}', 3, 0]);
    assert.deepEqual(missing, ['place_not_found', 0, 3]);
    assert.deepEqual(b, ['{"name":"b","note":null}', 3, 0]);
    assert.deepEqual(await books(), [
      ['batch_t:0', 'ok', 3, 0],
      ['batch_t:1', 'failed', 0, 3],
      ['batch_t:2', 'ok', 3, 0],
    ]);
    assert.equal(results[1]?.error?.requestId, 'batch_t:1');
  });

  test('an input whose parameters are wrong costs nothing and has no row', async () => {
    const results = await run(thingEndpoint(named), [
      { params: { title: 'x' } },
      { fault: new ExtractError('invalid_body', 'Line 2 is torn.') },
      { params: { name: 'x', size: '7' }, texts: true },
      { params: { name: 'x', size: '7' } },
    ]);
    const codes = ['renamed_parameter', 'invalid_body', '{"name":"x","note":null}', 'invalid_parameter'];
    assert.deepEqual(results.map(shown), codes);
    assert.deepEqual(results[1]?.error?.toJSON(), {
      ...{ type: 'invalid_request', code: 'invalid_body', request_id: 'batch_t:1' },
      message: 'Line 2 is torn. Send the documented JSON object.',
      docs: 'https://docs.test/docs/errors/invalid_body',
    });
    const ids = (await books()).map(([id]) => id);
    assert.deepEqual(ids, ['batch_t:2']);
  });

  test('repeating a batch charges nothing twice, and retries failed inputs', async () => {
    let there = false;
    const reads: Reads = async (question) => named(there ? { ...question, name: 'found' } : question);
    await run(thingEndpoint(reads), ['a', 'missing1', 'b']);
    there = true;
    const again = await run(thingEndpoint(reads), ['a', 'missing1', 'b']);
    const prices = again.map(({ charged }) => charged);
    assert.deepEqual(prices, [3, 3, 3]);
    const paid = [0, 1, 2].map((at) => [`batch_t:${at}`, 'ok', 3, 0]);
    assert.deepEqual(await books(), paid);
    await assertSpent(9);
  });

  test('an input that was answered before and fails now is refunded', async () => {
    let gone = false;
    const endpoint = thingEndpoint(async ({ name }) => {
      if (gone) throw new ExtractError('place_not_found');
      return thing(name);
    });
    await run(endpoint, ['a']);
    gone = true;
    await forgetAnswers();
    assert.deepEqual((await run(endpoint, ['a'])).map(shown), ['place_not_found']);
    assert.deepEqual(await books(), [['batch_t:0', 'failed', 0, 3]]);
    await assertSpent(0);
  });

  test('stops when the credits run out, charging only for returned answers', async () => {
    const before = { id: 'before', account: 'local', endpoint: 'maps/thing', needsPack: false, at: 0 };
    await client.books.charge({ ...before, credits: 50_000 - 10 });
    const { given, error } = await take(thingEndpoint(named), many(100));
    assert.deepEqual([given.length, error?.code], [3, 'insufficient_credits']);
    await assertSpent(49_999);
    assert.equal((await books()).filter(([, status]) => status === 'ok').length, 3);
  });

  test('stops before the limit would be passed, however many calls are under way', async () => {
    const names = many(50).map((name, at) => (at % 3 === 1 ? `missing${at}` : name));
    const { error } = await take(thingEndpoint(named), names, { limitCredits: 31 });
    assert.equal(error?.code, 'insufficient_credits');
    assert.match(error.message, /would exceed the limit of 31; 30 are spent/);
    await assertSpent(30);
  });

  test('counts what earlier runs of it spent towards the limit', async () => {
    await assert.rejects(run(thingEndpoint(named), many(10), { limitCredits: 31, spent: 27 }), {
      code: 'insufficient_credits',
    });
    await assertSpent(3);
  });

  test('costs nothing with sample data', async () => {
    const samples: Input[] = Array(20).fill({ params: { name: 'x', demo: true } });
    const results = await run(thingEndpoint(named), samples, { limitCredits: 0 });
    const free = ['{"name":"sample","note":null}', 0];
    assert.deepEqual(
      results.map((one) => [shown(one), one.charged]),
      Array(20).fill(free),
    );
    assert.deepEqual(await books(), []);
  });

  test('a consumer that leaves pays only for the answers it received', async () => {
    await take(thingEndpoint(named), many(1000), { concurrency: 16, most: 25 });
    await assertSpent(25 * 3);
    assert.equal((await books()).filter(([, status]) => status === 'pending').length, 0);
  });

  test('answers that a resumable batch did not return stay charged, and are free next time', async () => {
    const endpoint = thingEndpoint(named);
    await take(endpoint, many(200), { resumable: true, most: 25 });
    await run(endpoint, many(200), { resumable: true });
    await assertSpent(200 * 3);
    assert.equal((await books()).length, 200);
  });

  test('a signal ends it with its reason, and refunds calls in progress', async () => {
    const ending = new AbortController();
    const reads: Reads = ({ name }) =>
      name === 'name7' ? new Promise(() => undefined) : Promise.resolve(thing(name));
    const { given, error } = await take(thingEndpoint(reads), many(60), {
      signal: ending.signal,
      onResult: (count) => count === 7 && ending.abort(new Error('enough')),
    });
    assert.deepEqual([given.length, error?.message], [7, 'enough']);
    await assertSpent(21);
  });

  test('a forbidden account gets one error, not one per line', async () => {
    const by = failing(new ExtractError('fresh_not_available'));
    const { given, error } = await take(thingEndpoint(named), many(9), { by });
    assert.deepEqual([given, error?.code], [[], 'fresh_not_available']);
  });

  test('a broken disk under the ledger ends it; a fault of one input does not', async () => {
    const withError = (error: ExtractError) => take(thingEndpoint(named), many(3), { by: failing(error) });
    for (const fault of ['full', 'locked', 'unwritable', 'damaged', 'unreadable', 'uninstalled'] as const) {
      const { given, error } = await withError(new StorageError(fault, 'It failed.'));
      assert.deepEqual([given, error?.code], [[], 'internal_error']);
    }
    const ofTheInput = new ExtractError('internal_error', 'It failed.', { cause: new TypeError('x') });
    const { given } = await withError(ofTheInput);
    assert.deepEqual(given.map(shown), Array(3).fill('internal_error'));
  });
});

describe('a batch over lists', () => {
  const pages: Reads = async ({ name, position }) => {
    const page = typeof position === 'number' ? position : 0;
    if (name === 'torn' && page === 2) throw new ExtractError('platform_timeout');
    if (name === 'empty') return { data: [], ids: [], emptyProof: { end: true } };
    const ids = [`${name}-${page}-a`, `${name}-${page}-b`];
    return { data: ids.map((id) => ({ name: id })), ids, next: page < 3 ? page + 1 : null };
  };

  test('returns the first page of each, for one call', async () => {
    const [first] = await run(thingsEndpoint(pages), ['x']);
    assert.equal(first?.json, '[{"name":"x-0-a"},{"name":"x-0-b"}]');
    assert.equal(first?.charged, 2);
  });

  test('with all pages returns the complete list, and charges each page under its own id', async () => {
    const [first, second] = await run(thingsEndpoint(pages), ['x', 'empty'], { all: true });
    assert.equal(namesIn(first), 'x-0-a x-0-b x-1-a x-1-b x-2-a x-2-b x-3-a x-3-b');
    assert.deepEqual([first?.charged, second?.json, second?.charged], [8, '[]', 2]);
    const ids = (await books()).map(([id]) => id);
    assert.deepEqual(ids, ['batch_t:0', 'batch_t:0:2', 'batch_t:0:3', 'batch_t:0:4', 'batch_t:1']);
  });

  test('a failed page is free, and earlier pages stay, charged, with the reason', async () => {
    const [torn] = await run(thingsEndpoint(pages), ['torn'], { all: true });
    assert.equal(namesIn(torn), 'torn-0-a torn-0-b torn-1-a torn-1-b');
    const { code, requestId } = torn?.error ?? {};
    assert.deepEqual([code, requestId, torn?.isWhole], ['platform_timeout', 'batch_t:0:3', false]);
    assert.deepEqual([torn?.coverage?.ended, torn?.coverage?.given], ['refused', 4]);
    assert.deepEqual([torn?.charged, torn?.givenBack, torn?.calls], [4, 2, 2]);
    const endings = (await books()).map((row) => row.slice(1));
    const paid = ['ok', 2, 0];
    assert.deepEqual(endings, [paid, paid, ['failed', 0, 2]]);
    await assertSpent(4);
  });

  test('a partial list of an earlier run resumes with the failed page, and no earlier one', async () => {
    let fails = true;
    const asked: unknown[] = [];
    const torn: Reads = async ({ name, position }) => {
      asked.push(position);
      return pages({ name: fails ? 'torn' : name, position });
    };
    const over = { all: true, resumable: true };
    const [first] = await run(thingsEndpoint(torn), ['x'], over);
    assert.equal(first?.rest?.pages, 2);
    fails = false;
    asked.length = 0;
    await forgetAnswers();
    const [rest] = await run(thingsEndpoint(torn), [{ params: { name: 'x' }, rest: first?.rest }], over);
    assert.equal(namesIn(rest), 'x-2-a x-2-b x-3-a x-3-b');
    assert.deepEqual([rest?.error, rest?.charged, asked], [null, 4, [2, 3]]);
    await assertSpent(8);
  });

  test('pages that an earlier run paid for and the next does not reach are refunded', async () => {
    let isWhole = true;
    const shrunk: Reads = async ({ name, position }) => {
      const page = typeof position === 'number' ? position : 0;
      if (name === 'torn' && page === 1 && !isWhole) throw new ExtractError('platform_timeout');
      const ids = [`${name}-${page}`];
      return { data: [{ name: `${name}-${page}` }], ids, next: page < (isWhole ? 4 : 2) ? page + 1 : null };
    };
    const taken = { all: true, resumable: true };
    await run(thingsEndpoint(shrunk), ['torn', 'short'], taken);
    await assertSpent(2 * 10);
    isWhole = false;
    await forgetAnswers();
    const [torn, short] = await run(thingsEndpoint(shrunk), ['torn', 'short'], taken);
    assert.deepEqual([torn?.charged, short?.charged], [2, 6]);
    await assertSpent(8);
  });

  test('a limit in the middle of a list stops before it, with its pages refunded', async () => {
    const over = { all: true, limitCredits: 13, concurrency: 1 };
    const { error } = await take(thingsEndpoint(pages), ['x', 'y'], over);
    assert.equal(error?.code, 'insufficient_credits');
    assert.ok((await client.books.balance('local')).credits >= 50_000 - 13);
    const ok = (await books()).filter(([, status]) => status === 'ok').map(([id]) => id);
    assert.deepEqual(ok, ['batch_t:0', 'batch_t:0:2', 'batch_t:0:3', 'batch_t:0:4']);
  });
});

describe('a batch that the platform refuses', () => {
  const refuses = (times: number, retryAfter?: number) => {
    const left = new Map<string, number>();
    const reads: Reads = async ({ name }) => {
      const refusals = left.get(name) ?? (name === 'name2' ? times : 0);
      if (refusals > 0) {
        left.set(name, refusals - 1);
        throw new ExtractError('platform_blocked', undefined, retryAfter === undefined ? {} : { retryAfter });
      }
      left.set(name, 0);
      return thing(name);
    };
    return thingEndpoint(reads);
  };

  async function finish<T>(results: Promise<T>, clock: FakeClock) {
    let done = false;
    const watched = results.finally(() => {
      done = true;
    });
    watched.catch(() => undefined);
    while (!done) {
      await setImmediate();
      if (clock.sleeping > 0) await clock.advance(60_000);
    }
    return watched;
  }

  test('abandons one input that is refused while others are answered', async () => {
    const clock = new FakeClock();
    const results = await finish(run(refuses(99), many(40), { clock, concurrency: 2 }), clock);
    assert.equal(results.length, 40);
    assert.deepEqual(results.filter(({ error }) => error !== null).map(shown), ['platform_blocked']);
  });

  test('stops before a long pause, after returning the earlier lines', async () => {
    const { given, error } = await take(refuses(1, 3600), many(20), { waitAtMostMs: 1_800_000 });
    assert.deepEqual([given.length, error?.code, error?.retryAfter], [2, 'platform_blocked', 3600]);
    await assertSpent(6);
  });

  test('stops immediately, or fails the input, by option', async () => {
    await assert.rejects(run(refuses(1, 1), many(20), { onRefusal: 'stop' }), { code: 'platform_blocked' });
    await forgetAnswers();
    const results = await run(refuses(1, 1), many(5), { id: 'batch_f', onRefusal: 'fail' });
    const codes = results.map(({ error }) => error?.code ?? null);
    assert.deepEqual(codes, [null, null, 'platform_blocked', null, null]);
  });

  /** Answers so many calls, and refuses those after for so long. */
  const night = (clock: FakeClock, answered: number, refusedMs: number) => {
    const begin = clock.now();
    let calls = 0;
    return thingEndpoint(async ({ name }) => {
      calls += 1;
      if (calls > answered && clock.now() - begin < refusedMs) throw new ExtractError('platform_blocked');
      return thing(name);
    });
  };

  test('for three hours of a night answers every input in the end, reporting one pause at a time', async () => {
    const clock = new FakeClock();
    const begin = clock.now();
    const minutes: number[] = [];
    const onBackoff = ({ until }: { until: number }) => void minutes.push((until - begin) / 60_000);
    const batch = run(night(clock, 100, 3 * 3_600_000), many(300), { clock, concurrency: 6, onBackoff });
    const codes = (await finish(batch, clock)).map(({ error }) => error?.code ?? null);
    assert.deepEqual(codes, Array(300).fill(null));
    assert.deepEqual(minutes, [1, 3, 7, 15, 31, 63, 123, 183]);
    await assertSpent(900);
    assert.equal((await books()).length, 300);
  });

  test('for longer than is waited stops, and leaves the inputs under way for the next run', async () => {
    const clock = new FakeClock();
    const over = { clock, waitAtMostMs: 7_200_000, resumable: true };
    const batch = take(night(clock, 10, Number.POSITIVE_INFINITY), many(300), over);
    const { given, error } = await finish(batch, clock);
    assert.equal(error?.code, 'platform_blocked');
    const errors = given.map((one) => one.error);
    assert.deepEqual(errors, Array(10).fill(null));
  });

  test('a server that limits the rate is waited for like a platform', async () => {
    const clock = new FakeClock();
    let calls = 0;
    const limited: TestClient = {
      ...client,
      answer: async (...call) => {
        calls += 1;
        if (calls === 5) throw new ExtractError('rate_limited', undefined, { retryAfter: 7 });
        return client.answer(...call);
      },
    };
    const finished = run(thingEndpoint(named), many(20), { by: limited, clock });
    await clock.untilSleeping(1);
    await clock.advance(7000);
    assert.ok((await finished).every(({ error }) => error === null));
    assert.equal(calls, 21);
  });

  test('a stop ends the waiting', async () => {
    const stop = new AbortController();
    const clock = new FakeClock();
    const results = run(refuses(9), many(20), { clock, stop: stop.signal, onBackoff: () => stop.abort() });
    assert.equal((await results).length, 2);
  });
});

describe('a batch whose first inputs find the pages changed', () => {
  const changed = (from: number, to: number) =>
    thingEndpoint(async ({ name }) => {
      const at = Number(name.slice(4));
      if (at >= from && at < to)
        throw new ExtractError('platform_changed', `Another layout, and ${at} s to wait.`);
      return thing(name);
    });
  const names = many(300);

  test('stops after five of them, and reports why', async () => {
    const { given, error } = await take(changed(0, 300), names, { concurrency: 1 });
    assert.equal(error?.code, 'platform_changed');
    assert.match(error.message, /The first 5 inputs all ended like this, so the batch stopped/);
    assert.deepEqual(given.map(shown), Array(4).fill('platform_changed'));
  });

  test('continues if one of them was answered, or if failures are allowed', async () => {
    assert.equal((await run(changed(1, 30), names)).length, 300);
    assert.equal((await run(changed(0, 30), names, { onRefusal: 'fail' })).length, 300);
  });
});
