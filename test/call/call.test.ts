import assert from 'node:assert/strict';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import * as z from 'zod';
import { openCache } from '../../lib/cache/open-cache.js';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import { type Caller, type CallOptions, call, type Services } from '../../lib/call/call.js';
import { envelope } from '../../lib/call/envelope.js';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { text } from '../../lib/params/vocabulary.js';
import { site } from '../../lib/platforms/shortvideo/site.js';
import type { ReadContext, ReadResult } from '../../lib/routes/reading.js';
import type { CallSignal } from '../../lib/runtime/abort.js';
import { page } from '../../lib/web/page.js';
import type { Page, PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { FakeClock } from '../support/fake-clock.js';
import { refusalOf } from '../support/server-answers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type ReadPage = (context: ReadContext<Readonly<Record<string, unknown>>>) => Promise<ReadResult<unknown>>;

/** A list of names, read by a function. */
function listing(readPage: ReadPage): Endpoint {
  return defineEndpoint({
    ...{ path: 'shortvideo/example', operation: 'get_example', site },
    ...{ summary: 'An example', description: 'An example.', credits: 3, cacheSeconds: 600 },
    params: () => ({ query: text('What to look for.') }),
    page: { max: 10 },
    returns: z.strictObject({ name: z.string(), size: z.int().nullable() }),
    many: true,
    identify: ({ query }) => ({ query: query ?? null }),
    read: readPage as never,
  }) as Endpoint;
}

/** The same, with the number of its reads. */
function counted(readPage: (reads: number) => Promise<ReadResult<unknown>>) {
  let count = 0;
  const endpoint = listing(() => {
    count += 1;
    return readPage(count);
  });
  return { endpoint, reads: () => count };
}

/** A platform whose pages come from `fetch`. */
const platform = (fetch: (signal: CallSignal | undefined) => Promise<Page>): PageSource => ({
  open: (_, signal) => ({ fetch: () => fetch(signal), cookie: () => null, end: () => undefined }),
  close: async () => undefined,
});

const one = { name: 'a', size: 1 };
const named = (names: readonly string[]) => names.map((name) => ({ name, size: null }));
const readOne: ReadPage = async () => ({ data: [one], ids: ['a'] });
const folder = temporaryFolder();

let count = 0;
let ledger: Ledger;
let services: Services;
let time = Date.UTC(2026, 10, 5, 12);

beforeEach(() => {
  count += 1;
  time = Date.UTC(2026, 10, 5, 12);
  const home = path.join(folder, String(count));
  const sleep = () => new Promise<void>(() => undefined);
  const clock = { now: () => time, sleep, alarm: () => () => undefined };
  ledger = openLedger(path.join(home, 'ledger.db'), { clock });
  const cache = openCache({ file: path.join(home, 'cache.db'), memoryBytes: 1_000_000, clock });
  services = {
    ...{ clock, ledger, cache, docsBase: 'https://docs.test', deadlineMs: 5000 },
    flights: new SingleFlight(),
    pages: async () => routeSource(folder, [{ pattern: '.', body: 'page' }]),
    sample: async () => ({ identity: { query: 'sample' }, pages: routeSource(folder, []) }),
    secret: async () => Buffer.alloc(32, 1),
  };
});

const caller = (id: string, account: string | null = 'local'): Caller => ({ requestId: id, account });

async function ask(
  endpoint: Endpoint,
  id: string,
  params: Record<string, unknown> = {},
  options?: CallOptions,
  account: string | null = 'local',
) {
  const answer = await call(endpoint, { query: 'x', ...params }, services, caller(id, account), options);
  return envelope<unknown[]>(answer);
}

const codeOf = async (...args: Parameters<typeof ask>) => (await refusalOf(ask(...args))).code;

const balance = async () => (await ledger.balance('local')).credits;
const rows = async () => (await ledger.usage('local', { limit: 100 })).rows;

describe('a call', () => {
  test('charges, reads, and answers with its cost', async () => {
    const { data, meta } = await ask(listing(readOne), 'req_1');
    assert.deepEqual(data, [one]);
    assert.deepEqual(meta, {
      request_id: 'req_1',
      credits_charged: 3,
      credits_remaining: 49_997,
      cached: false,
      fetched_at: '2026-11-05T12:00:00.000Z',
      next_cursor: null,
    });
    const [row] = await rows();
    assert.deepEqual([row?.id, row?.status, row?.credits_charged, row?.cached], ['req_1', 'ok', 3, false]);
  });

  test('does not return a cached answer with an expired URL', async () => {
    const url = () => `https://p16.example/a.jpeg?x-expires=${time / 1000 + 60}&x-signature=b`;
    const endpoint = listing(async () => ({ data: [{ name: url(), size: 1 }], ids: ['a'] }));
    const cached = [];
    for (const [index, seconds] of [0, 59, 2].entries()) {
      time += seconds * 1000;
      cached.push((await ask(endpoint, `req_${index}`)).meta.cached);
    }
    assert.deepEqual(cached, [false, true, false]);
  });

  test('with wrong parameters costs nothing and leaves no row', async () => {
    const endpoint = listing(async () => assert.fail('it was read'));
    assert.equal(await codeOf(endpoint, 'req_1', { limit: 11 }), 'invalid_parameter');
    assert.equal(await codeOf(endpoint, 'req_1', { cursor: 'x' }), 'invalid_cursor');
    assert.deepEqual(await rows(), []);
    assert.equal(await balance(), 50_000);
  });

  for (const step of ['pay', 'settle'] as const) {
    test(`refunds a charge that was stored although the disk failed (${step})`, async () => {
      const endpoint = listing(readOne);
      if (step === 'pay') await ask(endpoint, 'req_1');
      const before = await balance();
      const fault = new StorageError('unreadable', 'The disk failed.');
      const real = ledger[step].bind(ledger) as (...args: unknown[]) => Promise<never>;
      ledger[step] = async (...values: unknown[]) => {
        await real(...values);
        throw fault;
      };
      assert.equal(await codeOf(endpoint, 'req_2'), 'internal_error');
      assert.equal(await balance(), before);
      const [row] = await rows();
      assert.deepEqual([row?.id, row?.status, row?.credits_refunded], ['req_2', 'failed', 3]);
    });
  }

  test('refunds nothing for an ID that was charged before, or while the ledger is locked', async () => {
    await ask(listing(readOne), 'req_1');
    assert.equal(await codeOf(listing(readOne), 'req_1'), 'internal_error');
    assert.equal(await balance(), 49_997);
    ledger.pay = () => Promise.reject(new StorageError('locked', 'Locked.'));
    ledger.refund = () => assert.fail('waited for the lock once more');
    assert.equal(await codeOf(listing(readOne), 'req_2'), 'internal_error');
  });

  test('requests the refund of a silent database without waiting for it', async () => {
    let refunds = 0;
    ledger.charge = () => Promise.reject(new StorageError('unreachable', 'It did not answer.'));
    ledger.refund = () => {
      refunds += 1;
      return new Promise(() => undefined);
    };
    assert.equal(await codeOf(listing(readOne), 'req_1'), 'internal_error');
    assert.equal(refunds, 1);
  });

  test('costs nothing if its next cursor cannot be created, fetched or cached', async () => {
    const endpoint = listing(async () => ({ data: [one], ids: ['a'], next: 'more' }));
    const { secret } = services;
    const broken = async () => assert.fail('no key');
    Object.assign(services, { secret: broken });
    assert.equal(await codeOf(endpoint, 'req_1'), 'internal_error');
    assert.equal(await balance(), 50_000);
    Object.assign(services, { secret });
    assert.ok((await ask(endpoint, 'req_2')).meta.next_cursor);
    Object.assign(services, { secret: broken });
    // Sealed for the second before.
    time += 1000;
    assert.equal(await codeOf(endpoint, 'req_3'), 'internal_error');
    assert.equal(await balance(), 49_997);
    const endings = (await rows()).map(({ id, status }) => `${id} ${status}`);
    assert.deepEqual(endings, ['req_2 ok', 'req_1 failed']);
  });

  test('that fails is refunded in full, reported under its request ID, and not cached', async () => {
    const { endpoint } = counted(async (reads) => {
      if (reads === 1) throw new ExtractError('platform_blocked');
      return readOne({} as never);
    });
    const error = await refusalOf(ask(endpoint, 'req_1'));
    assert.deepEqual([error.code, error.requestId], ['platform_blocked', 'req_1']);
    assert.equal(error.docs, 'https://docs.test/docs/errors/platform_blocked');
    const [row] = await rows();
    assert.deepEqual([row?.status, row?.error_code], ['failed', 'platform_blocked']);
    assert.deepEqual([row?.credits_charged, row?.credits_refunded, await balance()], [0, 3, 50_000]);
    assert.equal((await ask(endpoint, 'req_2')).meta.cached, false);
  });

  test('that meets a bug is internal_error, refunded, and reveals nothing internal', async () => {
    const broken = listing(() => Promise.reject(new TypeError('secret path /x')));
    const error = await refusalOf(ask(broken, 'req_1'));
    assert.equal(error.code, 'internal_error');
    assert.ok(!JSON.stringify(error).includes('secret'));
    assert.ok(error.cause instanceof TypeError);
    assert.equal(await balance(), 50_000);
  });

  test('is served from the cache at the same price, with the time of the fetch', async () => {
    const { endpoint, reads } = counted(async () => ({ data: [one], ids: ['a'], next: { offset: 1 } }));
    const first = await ask(endpoint, 'req_1');
    time += 60_000;
    const { data, meta } = await ask(endpoint, 'req_2');
    assert.equal(reads(), 1);
    assert.deepEqual([meta.cached, meta.credits_charged, meta.fetched_at], [true, 3, first.meta.fetched_at]);
    assert.deepEqual(data, first.data);
    assert.notEqual(meta.next_cursor, null);
    assert.equal(await balance(), 49_994);
    time += 600_000;
    await ask(endpoint, 'req_3');
    assert.equal(reads(), 2, 'its lifetime is over');
  });

  test('with fresh reads past the cache, writes to it, and needs bought credits', async () => {
    const { endpoint } = counted(async (reads) => ({ data: named([`read ${reads}`]), ids: ['a'] }));
    await ask(endpoint, 'req_1');
    assert.deepEqual((await ask(endpoint, 'req_2', { fresh: true })).data, named(['read 2']));
    assert.deepEqual((await ask(endpoint, 'req_3')).data, named(['read 2']));
    const at = '2026-11-05T00:00:00Z';
    await ledger.grant({ id: 't', account: 'trial', credits: 500, kind: 'trial', at });
    const code = await codeOf(listing(readOne), 'req_4', { fresh: true }, {}, 'trial');
    assert.equal(code, 'fresh_not_available');
    assert.equal((await ledger.balance('trial')).credits, 500);
  });

  test('without credits makes no request and returns no cached answer', async () => {
    const endpoint = listing(async () => assert.fail('it was read'));
    assert.equal(await codeOf(endpoint, 'req_1', {}, {}, 'nobody'), 'insufficient_credits');
    await ask(listing(readOne), 'req_2');
    assert.equal(await codeOf(listing(readOne), 'req_3', {}, {}, 'nobody'), 'insufficient_credits');
  });

  test('shares the read of equal calls at the same time, and each pays', async () => {
    const { endpoint, reads } = counted(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { data: [one], ids: ['a'] };
    });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(endpoint, `req_${at}`)));
    assert.equal(reads(), 1);
    assert.ok(answers.every(({ meta }) => !meta.cached && meta.credits_charged === 3));
    assert.equal(await balance(), 50_000 - 60);
  });

  test('caches a thin answer for minutes', async () => {
    const endpoint = listing(async () => ({ data: [one], ids: ['a'], brief: true }));
    await ask(endpoint, 'req_1');
    time += 299_000;
    assert.equal((await ask(endpoint, 'req_2')).meta.cached, true);
    time += 2000;
    assert.equal((await ask(endpoint, 'req_3')).meta.cached, false);
  });

  test('does not cache an answer that lacks the caller’s known items', async () => {
    const known: unknown[] = [];
    const endpoint = listing(async (context) => {
      known.push(context.knownItems);
      return { data: [one], ids: ['a'], brief: true };
    });
    const knownItems = async () => new Set(['a']);
    await call(endpoint, { query: 'x' }, services, { ...caller('req_1'), knownItems });
    assert.deepEqual(known, [knownItems]);
    assert.equal((await ask(endpoint, 'req_2')).meta.cached, false);
  });

  test('is platform_changed for a value beyond the contract', async () => {
    const beyond = [[{ name: 'a' }], [{ ...one, more: 1 }], [{ name: 'a', size: 'big' }], 'no list', null];
    for (const [index, data] of beyond.entries()) {
      const endpoint = listing(async () => ({ data, ids: ['a'] }));
      assert.equal(await codeOf(endpoint, `req_${index}`), 'platform_changed', JSON.stringify(data));
    }
    assert.equal(await balance(), 50_000);
  });

  test('times out at the deadline if the platform does not answer', async () => {
    const silent = platform(
      (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const clock = new FakeClock();
    services = { ...services, clock, pages: async () => silent };
    const endpoint = listing(async ({ session }) => ({
      data: await session.fetch({ url: 'https://x.test/' }),
    }));
    const code = codeOf(endpoint, 'req_1');
    await clock.untilSleeping(1);
    await clock.advance(services.deadlineMs);
    assert.equal(await code, 'platform_timeout');
    assert.equal(await balance(), 50_000);
  });

  test('of a batch has its deadline after the last page, because pages wait behind other calls', async () => {
    const clock = new FakeClock();
    const answered = page('https://x.test/', 200, {}, Buffer.from('a page'));
    const queued = platform((signal) => clock.sleep(services.deadlineMs * 0.6, signal).then(() => answered));
    services = { ...services, clock, pages: async () => queued };
    const endpoint = listing(async ({ session }) => {
      for (let count = 0; count < 3; count += 1) await session.fetch({ url: 'https://x.test/' });
      return { data: [one], ids: ['a'] };
    });
    const callWith = (over: Partial<Caller>) => {
      const calling = call(endpoint, { query: 'x', fresh: true }, services, { ...caller('req_1'), ...over });
      return clock.passing(calling, services.deadlineMs);
    };
    assert.equal((await refusalOf(callWith({}))).code, 'platform_timeout');
    for (const over of [{ resumes: true }, { job: 'job_1' }]) {
      const { json } = await callWith({ requestId: `req_${Object.keys(over)}`, ...over });
      assert.deepEqual(JSON.parse(json), [one]);
    }
  });
});

describe('pages of a listing', () => {
  const pages = listing(async ({ position, limit }) => {
    const from = (position as { offset: number } | null)?.offset ?? 0;
    const names = ['a', 'b', 'c', 'd', 'e'].slice(from, from + limit);
    const next = from + limit < 5 ? { offset: from + limit } : null;
    return { data: named(names), ids: names, next };
  });
  const names = (data: unknown[]) => data.map((item) => (item as { name: string }).name).join('');

  test('follow each other by the cursor with any limit', async () => {
    const first = await ask(pages, 'req_1', { limit: 2 });
    const second = await ask(pages, 'req_2', { limit: 1, cursor: first.meta.next_cursor });
    const third = await ask(pages, 'req_3', { limit: 9, cursor: second.meta.next_cursor });
    assert.deepEqual([names(first.data), names(second.data), names(third.data)], ['ab', 'c', 'de']);
    assert.equal(third.meta.next_cursor, null);
  });

  test('are refused before a charge with a cursor of another request', async () => {
    const { meta } = await ask(pages, 'req_1', { limit: 2 });
    const before = await balance();
    assert.equal(await codeOf(pages, 'req_2', { query: 'y', cursor: meta.next_cursor }), 'invalid_cursor');
    time += 25 * 3_600_000;
    assert.equal(await codeOf(pages, 'req_3', { cursor: meta.next_cursor }), 'cursor_expired');
    assert.equal(await balance(), before);
  });

  test('include sources if requested, also from the cache, at the same price', async () => {
    const source = (id: string) => ({ id, url: `https://site.test/${id}`, author: null });
    const endpoint = listing(async () => ({ data: [one], ids: ['a'], sources: [source('a')] }));
    const plain = await ask(endpoint, 'req_1');
    assert.deepEqual(Object.keys(plain), ['data', 'meta']);
    time += 1000;
    const located = await ask(endpoint, 'req_2', { sources: true });
    assert.deepEqual(Object.keys(located), ['data', 'meta', 'sources', 'coverage']);
    assert.equal(located.meta.cached, true);
    assert.deepEqual(located.sources, [
      { ...source('a'), position: 1, fetched_at: '2026-11-05T12:00:00.000Z', route: null },
    ]);
  });

  test('count positions over the list, also beyond the items that a cursor remembers', async () => {
    const pages = 25;
    const long = listing(async ({ position }) => {
      const page = (position as number | null) ?? 0;
      const ids = Array.from({ length: 10 }, (_, at) => `${page}-${at}`);
      const sources = ids.map((id) => ({ id, url: null, author: null }));
      return { data: named(ids), ids, sources, next: page + 1 < pages ? page + 1 : null };
    });
    let cursor: string | null = null;
    for (let page = 0; page < pages; page += 1) {
      const params = { sources: true, ...(cursor === null ? {} : { cursor }) };
      const { sources = [], meta } = await ask(long, `req_${page}`, params);
      assert.deepEqual([sources[0]?.position, sources.at(-1)?.position], [page * 10 + 1, page * 10 + 10]);
      cursor = meta.next_cursor;
    }
    assert.equal(cursor, null);
  });

  test('are read again if an earlier version cached them without coverage', async () => {
    const { endpoint, reads } = counted(async () => ({
      ...{ data: [one], ids: ['a'], sources: [{ id: 'a', url: null, author: null }] },
    }));
    const { cache } = services;
    const set: typeof cache.set = (key, { coverage: _, ...older }, seconds) => cache.set(key, older, seconds);
    const [get, clear, close] = [cache.get, cache.clear, cache.close].map((method) => method.bind(cache));
    services = { ...services, cache: { get, clear, close, set } as typeof cache };
    await ask(endpoint, 'req_1');
    await ask(endpoint, 'req_2');
    assert.equal(reads(), 2);
  });

  for (const [name, given, read] of [
    ['a source that repeats a page', 1, (turn: number) => ({ ids: ['a'], next: { turn } })],
    ['a position that does not advance', 2, (turn: number) => ({ ids: [`n${turn}`], next: { offset: 7 } })],
  ] as const) {
    test(`end with ${name}`, async () => {
      const { endpoint } = counted(async (turn) => ({ data: named([`n${turn}`]), ...read(turn) }));
      const { meta } = await ask(endpoint, 'req_1');
      const second = await ask(endpoint, 'req_2', { cursor: meta.next_cursor, sources: true });
      assert.equal(second.data.length, given - 1);
      assert.equal(second.meta.next_cursor, null);
      assert.deepEqual([second.coverage?.given, second.coverage?.ended], [given, 'repeated']);
    });
  }

  test('do not repeat an item of an earlier page', async () => {
    const overlapping = listing(async ({ position }) =>
      position === null
        ? { data: named(['a', 'b']), ids: ['a', 'b'], next: 1 }
        : { data: named(['b', 'c']), ids: ['b', 'c'] },
    );
    const first = await ask(overlapping, 'req_1');
    const second = await ask(overlapping, 'req_2', { cursor: first.meta.next_cursor });
    assert.equal(names(second.data), 'c');
  });
});

describe('demo calls', () => {
  test('charge nothing, need no account and touch neither cache nor network', async () => {
    services = {
      ...services,
      get cache() {
        return assert.fail('the cache was opened');
      },
      pages: async () => assert.fail('the network was opened'),
    };
    const { meta } = await ask(listing(readOne), 'req_1', { demo: true }, {}, null);
    assert.deepEqual([meta.credits_charged, meta.credits_remaining, meta.cached], [0, 0, false]);
    assert.equal((await ask(listing(readOne), 'req_2', { demo: true })).meta.credits_remaining, 50_000);
    assert.deepEqual(await rows(), []);
    assert.equal(await codeOf(listing(readOne), 'req_1', {}, {}, null), 'missing_api_key');
  });

  test('have cursors for demos of the same parameters only', async () => {
    const pages = listing(async () => ({ data: [one], ids: ['a'], next: 1 }));
    const { meta } = await ask(pages, 'req_1', { demo: true, query: 'one' });
    const cursor = meta.next_cursor;
    assert.equal(await codeOf(pages, 'req_2', { query: 'one', cursor }), 'invalid_cursor');
    assert.equal(await codeOf(pages, 'req_2', { demo: true, query: 'two', cursor }), 'invalid_cursor');
    await ask(pages, 'req_3', { demo: true, query: 'one', cursor });
  });
});

describe('an aborted call', () => {
  const endless = listing(
    ({ session }) =>
      session.fetch({ url: 'https://x.test/' }).then(() => new Promise(() => undefined)) as Promise<never>,
  );

  test('ends with the signal’s reason and is refunded', async () => {
    const giveUp = new AbortController();
    const answer = ask(endless, 'req_1', {}, { signal: giveUp.signal });
    setImmediate(() => giveUp.abort(new Error('enough')));
    await assert.rejects(answer, /enough/);
    const [row] = await rows();
    assert.deepEqual([row?.status, row?.error_code, row?.credits_charged], ['failed', null, 0]);
    assert.equal(await balance(), 50_000);
  });

  test('costs nothing if it was aborted before it started', async () => {
    const signal = AbortSignal.abort(new Error('never'));
    await assert.rejects(ask(endless, 'req_1', {}, { signal }), /never/);
    assert.deepEqual(await rows(), []);
  });

  test('does not end the read that others wait for', async () => {
    let land: (reading: ReadResult<unknown>) => void = () => undefined;
    let joined = 0;
    const { flights } = services;
    const run = flights.run.bind(flights);
    flights.run = (...args) => {
      joined += 1;
      return run(...args);
    };
    const slow = listing(
      () =>
        new Promise((resolve) => {
          land = resolve;
        }),
    );
    const giveUp = new AbortController();
    const abandoned = ask(slow, 'req_1', {}, { signal: giveUp.signal });
    const stays = ask(slow, 'req_2');
    while (joined < 2) await new Promise(setImmediate);
    await new Promise(setImmediate);
    giveUp.abort(new Error('enough'));
    await assert.rejects(abandoned, /enough/);
    land({ data: [one], ids: ['a'] });
    assert.deepEqual((await stays).data, [one]);
    assert.equal(await balance(), 49_997);
  });
});
