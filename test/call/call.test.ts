import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import * as z from 'zod';
import { openCache } from '../../lib/cache/open-cache.js';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import { type Caller, type CallOptions, call, type Services } from '../../lib/call/call.js';
import type { Coverage } from '../../lib/call/coverage.js';
import { envelopeText } from '../../lib/call/envelope.js';
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

type ReadPage = (context: ReadContext<Readonly<Record<string, unknown>>>) => Promise<ReadResult<unknown>>;

/** A listing of names; what it reads is each test's own. */
function listing(readPage: ReadPage): Endpoint {
  return defineEndpoint({
    path: 'shortvideo/example',
    operation: 'get_example',
    summary: 'An example',
    description: 'An example.',
    credits: 3,
    cacheSeconds: 600,
    site,
    params: () => ({ query: text('What to look for.') }),
    page: { max: 10 },
    returns: z.strictObject({ name: z.string(), size: z.int().nullable() }),
    many: true,
    identify: ({ query }) => ({ query: query ?? null }),
    read: readPage as never,
  }) as Endpoint;
}

/** The same, with the number of its reads so far. */
function counted(readPage: (reads: number) => Promise<ReadResult<unknown>>) {
  let count = 0;
  const endpoint = listing(() => {
    count += 1;
    return readPage(count);
  });
  return { endpoint, reads: () => count };
}

const failing = (error: Error) => listing(() => Promise.reject(error));

/** A platform whose every page is what `fetch` gives. */
const platform = (fetch: (signal: CallSignal | undefined) => Promise<Page>): PageSource => ({
  open: (_, signal) => ({ fetch: () => fetch(signal), cookie: () => null, end: () => undefined }),
  close: async () => undefined,
});

const one = { name: 'a', size: 1 };
const readOne: ReadPage = async () => ({ data: [one], ids: ['a'] });
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-call-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
let ledger: Ledger;
let services: Services;
let time = Date.UTC(2026, 10, 5, 12);

beforeEach(() => {
  count += 1;
  time = Date.UTC(2026, 10, 5, 12);
  const home = path.join(folder, String(count));
  const clock = {
    now: () => time,
    sleep: () => new Promise<void>(() => undefined),
    alarm: () => () => undefined,
  };
  ledger = openLedger(path.join(home, 'ledger.db'), { clock });
  const cache = openCache({ file: path.join(home, 'cache.db'), memoryBytes: 1_000_000, clock });
  services = {
    clock,
    docsBase: 'https://docs.test',
    deadlineMs: 5000,
    flights: new SingleFlight(),
    ledger,
    cache,
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
  return JSON.parse(envelopeText(answer)) as {
    data: unknown[];
    meta: {
      credits_charged: number;
      credits_remaining: number;
      cached: boolean;
      fetched_at: string;
      next_cursor: string | null;
      request_id: string;
    };
    coverage?: Coverage;
  };
}

/** The code that a call is refused with. */
const codeOf = async (...args: Parameters<typeof ask>) => (await refusalOf(ask(...args))).code;

const balance = async () => (await ledger.balance('local')).credits;
const rows = async () => (await ledger.usage('local', { limit: 100 })).rows;

describe('the road of a call', () => {
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

  test('no answer is returned again after one of its addresses has expired', async () => {
    const url = () => `https://p16.example/a.jpeg?x-expires=${time / 1000 + 60}&x-signature=b`;
    const endpoint = listing(async () => ({ data: [{ name: url(), size: 1 }], ids: ['a'] }));
    const cached = [];
    for (const [index, seconds] of [0, 59, 2].entries()) {
      time += seconds * 1000;
      cached.push((await ask(endpoint, `req_${index}`)).meta.cached);
    }
    assert.deepEqual(cached, [false, true, false]);
  });

  test('wrong parameters cost nothing and leave no row', async () => {
    const endpoint = listing(async () => assert.fail('it was read'));
    assert.equal(await codeOf(endpoint, 'req_1', { limit: 11 }), 'invalid_parameter');
    assert.equal(await codeOf(endpoint, 'req_1', { cursor: 'x' }), 'invalid_cursor');
    assert.deepEqual(await rows(), []);
    assert.equal(await balance(), 50_000);
  });

  for (const step of ['pay', 'settle'] as const) {
    test(`a charge that was stored although the disk failed (${step}) is refunded`, async () => {
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

  test('nothing is refunded for an ID that was charged before, or while the ledger is locked', async () => {
    await ask(listing(readOne), 'req_1');
    assert.equal(await codeOf(listing(readOne), 'req_1'), 'internal_error');
    assert.equal(await balance(), 49_997);
    ledger.pay = () => Promise.reject(new StorageError('locked', 'Locked.'));
    ledger.refund = () => assert.fail('waited for the lock once more');
    assert.equal(await codeOf(listing(readOne), 'req_2'), 'internal_error');
  });

  test('if a database does not answer, the call does not wait for the refund, which is requested', async () => {
    let refunds = 0;
    ledger.charge = () => Promise.reject(new StorageError('unreachable', 'It did not answer.'));
    ledger.refund = () => {
      refunds += 1;
      return new Promise(() => undefined);
    };
    assert.equal(await codeOf(listing(readOne), 'req_1'), 'internal_error');
    assert.equal(refunds, 1);
  });

  test('an answer whose next cursor cannot be created costs nothing, fetched or cached', async () => {
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
    const endings = (await rows()).map(({ id, status }) => [id, status]);
    assert.deepEqual(endings, [
      ['req_2', 'ok'],
      ['req_1', 'failed'],
    ]);
  });

  test('a failure is refunded in full and reported under the request’s ID', async () => {
    const error = await refusalOf(ask(failing(new ExtractError('platform_blocked')), 'req_1'));
    assert.deepEqual([error.code, error.requestId], ['platform_blocked', 'req_1']);
    assert.equal(error.docs, 'https://docs.test/docs/errors/platform_blocked');
    const [row] = await rows();
    assert.deepEqual([row?.status, row?.error_code], ['failed', 'platform_blocked']);
    assert.deepEqual([row?.credits_charged, row?.credits_refunded, await balance()], [0, 3, 50_000]);
  });

  test('a bug is internal_error, refunded, and reveals nothing internal', async () => {
    const error = await refusalOf(ask(failing(new TypeError('secret path /x')), 'req_1'));
    assert.equal(error.code, 'internal_error');
    assert.ok(!JSON.stringify(error).includes('secret'));
    assert.ok(error.cause instanceof TypeError);
    assert.equal(await balance(), 50_000);
  });

  test('a second call is served from the cache at the same price, dated when it was fetched', async () => {
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

  test('fresh reads past the cache and writes to it', async () => {
    const { endpoint } = counted(async (reads) => ({
      data: [{ name: `read ${reads}`, size: null }],
      ids: ['a'],
    }));
    await ask(endpoint, 'req_1');
    assert.deepEqual((await ask(endpoint, 'req_2', { fresh: true })).data, [{ name: 'read 2', size: null }]);
    assert.deepEqual((await ask(endpoint, 'req_3')).data, [{ name: 'read 2', size: null }]);
  });

  test('fresh needs bought credits', async () => {
    const at = '2026-11-05T00:00:00Z';
    await ledger.grant({ id: 't', account: 'trial', credits: 500, kind: 'trial', at });
    assert.equal(
      await codeOf(listing(readOne), 'req_1', { fresh: true }, {}, 'trial'),
      'fresh_not_available',
    );
    assert.equal((await ledger.balance('trial')).credits, 500);
  });

  test('without credits the platform gets no request, and no cached answer is returned', async () => {
    const endpoint = listing(async () => assert.fail('it was read'));
    assert.equal(await codeOf(endpoint, 'req_1', {}, {}, 'nobody'), 'insufficient_credits');
    await ask(listing(readOne), 'req_2');
    assert.equal(await codeOf(listing(readOne), 'req_3', {}, {}, 'nobody'), 'insufficient_credits');
  });

  test('errors never enter the cache', async () => {
    const { endpoint } = counted(async (reads) => {
      if (reads === 1) throw new ExtractError('platform_timeout');
      return { data: [one], ids: ['a'] };
    });
    await refusalOf(ask(endpoint, 'req_1'));
    assert.equal((await ask(endpoint, 'req_2')).meta.cached, false);
  });

  test('equal calls at the same time share one read, and each pays', async () => {
    const { endpoint, reads } = counted(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { data: [one], ids: ['a'] };
    });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(endpoint, `req_${at}`)));
    assert.equal(reads(), 1);
    assert.ok(answers.every(({ meta }) => !meta.cached && meta.credits_charged === 3));
    assert.equal(await balance(), 50_000 - 60);
  });

  test('a thin answer is only cached for minutes', async () => {
    const endpoint = listing(async () => ({ data: [one], ids: ['a'], brief: true }));
    await ask(endpoint, 'req_1');
    time += 299_000;
    assert.equal((await ask(endpoint, 'req_2')).meta.cached, true);
    time += 2000;
    assert.equal((await ask(endpoint, 'req_3')).meta.cached, false);
  });

  test('an answer without the caller’s known items, which its reader receives, is not cached for others', async () => {
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

  test('a value beyond the contract is a changed page, never an answer', async () => {
    const beyond = [[{ name: 'a' }], [{ ...one, more: 1 }], [{ name: 'a', size: 'big' }], 'no list', null];
    for (const [index, data] of beyond.entries()) {
      const endpoint = listing(async () => ({ data, ids: ['a'] }));
      assert.equal(await codeOf(endpoint, `req_${index}`), 'platform_changed', JSON.stringify(data));
    }
    assert.equal(await balance(), 50_000);
  });

  test('a platform that does not answer times out at the deadline', async () => {
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

  test('in a batch, the deadline counts from the last page, because pages wait behind other calls', async () => {
    const clock = new FakeClock();
    const answered = page('https://x.test/', 200, {}, Buffer.from('a page'));
    const queued = platform((signal) => clock.sleep(services.deadlineMs * 0.6, signal).then(() => answered));
    services = { ...services, clock, pages: async () => queued };
    const endpoint = listing(async ({ session }) => {
      for (let count = 0; count < 3; count += 1) await session.fetch({ url: 'https://x.test/' });
      return { data: [one], ids: ['a'] };
    });
    const callWith = (over: Partial<Caller>) =>
      clock.passing(
        call(endpoint, { query: 'x', fresh: true }, services, { ...caller('req_1', 'local'), ...over }),
        services.deadlineMs,
      );
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
    return { data: names.map((name) => ({ name, size: null })), ids: names, next };
  });
  const names = (data: unknown[]) => data.map((item) => (item as { name: string }).name).join('');

  test('follow each other by the cursor, whatever the limit', async () => {
    const first = await ask(pages, 'req_1', { limit: 2 });
    const second = await ask(pages, 'req_2', { limit: 1, cursor: first.meta.next_cursor });
    const third = await ask(pages, 'req_3', { limit: 9, cursor: second.meta.next_cursor });
    assert.deepEqual([names(first.data), names(second.data), names(third.data)], ['ab', 'c', 'de']);
    assert.equal(third.meta.next_cursor, null);
  });

  test('a cursor of another question is refused before anything is charged', async () => {
    const { meta } = await ask(pages, 'req_1', { limit: 2 });
    const before = await balance();
    assert.equal(await codeOf(pages, 'req_2', { query: 'y', cursor: meta.next_cursor }), 'invalid_cursor');
    time += 25 * 3_600_000;
    assert.equal(await codeOf(pages, 'req_3', { cursor: meta.next_cursor }), 'cursor_expired');
    assert.equal(await balance(), before);
  });

  test('adds sources if requested, from the cache, too, at the same price', async () => {
    const source = (id: string) => ({ id, url: `https://site.test/${id}`, author: null });
    const endpoint = listing(async () => ({ data: [one], ids: ['a'], sources: [source('a')] }));
    const plain = await ask(endpoint, 'req_1');
    assert.deepEqual(Object.keys(plain), ['data', 'meta']);
    time += 1000;
    const located = (await ask(endpoint, 'req_2', { sources: true })) as typeof plain & { sources?: unknown };
    assert.deepEqual(Object.keys(located), ['data', 'meta', 'sources', 'coverage']);
    assert.equal(located.meta.cached, true);
    assert.deepEqual(located.sources, [
      { ...source('a'), position: 1, fetched_at: '2026-11-05T12:00:00.000Z', route: null },
    ]);
  });

  test('counts positions over all pages of a list, also beyond the items that a cursor remembers', async () => {
    const pages = 25;
    const long = listing(async ({ position }) => {
      const page = (position as number | null) ?? 0;
      const ids = Array.from({ length: 10 }, (_, at) => `${page}-${at}`);
      return {
        data: ids.map((name) => ({ name, size: null })),
        ids,
        sources: ids.map((id) => ({ id, url: null, author: null })),
        next: page + 1 < pages ? page + 1 : null,
      };
    });
    let cursor: string | null = null;
    for (let page = 0; page < pages; page += 1) {
      const params = { sources: true, ...(cursor === null ? {} : { cursor }) };
      const answer = await ask(long, `req_${page}`, params);
      const { sources } = answer as unknown as { sources: { position: number }[] };
      assert.deepEqual([sources[0]?.position, sources.at(-1)?.position], [page * 10 + 1, page * 10 + 10]);
      cursor = answer.meta.next_cursor;
    }
    assert.equal(cursor, null);
  });

  test('reads again what an earlier version cached without coverage', async () => {
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
    test(`${name} ends the listing`, async () => {
      const { endpoint } = counted(async (turn) => ({
        data: [{ name: `n${turn}`, size: null }],
        ...read(turn),
      }));
      const { meta } = await ask(endpoint, 'req_1');
      const second = await ask(endpoint, 'req_2', { cursor: meta.next_cursor, sources: true });
      assert.equal(second.data.length, given - 1);
      assert.equal(second.meta.next_cursor, null);
      assert.deepEqual([second.coverage?.given, second.coverage?.ended], [given, 'repeated']);
    });
  }

  test('an item of an earlier page is not repeated', async () => {
    const overlapping = listing(async ({ position }) =>
      position === null
        ? { data: ['a', 'b'].map((name) => ({ name, size: null })), ids: ['a', 'b'], next: 1 }
        : { data: ['b', 'c'].map((name) => ({ name, size: null })), ids: ['b', 'c'] },
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
  });

  test('a demo’s cursor is bound to demos of its parameters, whichever sample answers them', async () => {
    const pages = listing(async () => ({ data: [one], ids: ['a'], next: 1 }));
    const { meta } = await ask(pages, 'req_1', { demo: true, query: 'one' });
    const cursor = meta.next_cursor;
    assert.equal(await codeOf(pages, 'req_2', { query: 'one', cursor }), 'invalid_cursor');
    assert.equal(await codeOf(pages, 'req_2', { demo: true, query: 'two', cursor }), 'invalid_cursor');
    await ask(pages, 'req_3', { demo: true, query: 'one', cursor });
  });

  test('without demo a call without an account needs a key', async () => {
    assert.equal(await codeOf(listing(readOne), 'req_1', {}, {}, null), 'missing_api_key');
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

  test('before it began costs nothing', async () => {
    await assert.rejects(
      ask(endless, 'req_1', {}, { signal: AbortSignal.abort(new Error('never')) }),
      /never/,
    );
    assert.deepEqual(await rows(), []);
  });

  test('does not end the read that others wait for', async () => {
    let land: (reading: ReadResult<unknown>) => void = () => undefined;
    let joined: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      let waiting = 0;
      joined = () => {
        waiting += 1;
        if (waiting === 2) resolve();
      };
    });
    class WatchedFlight<T> extends SingleFlight<T> {
      override run(...args: Parameters<SingleFlight<T>['run']>) {
        const flight = super.run(...args);
        joined();
        return flight;
      }
    }
    services = { ...services, flights: new WatchedFlight() };
    const slow = listing(
      () =>
        new Promise((resolve) => {
          land = resolve;
        }),
    );
    const giveUp = new AbortController();
    const abandoned = ask(slow, 'req_1', {}, { signal: giveUp.signal });
    const stays = ask(slow, 'req_2');
    await both;
    await new Promise((turn) => setImmediate(turn));
    giveUp.abort(new Error('enough'));
    await assert.rejects(abandoned, /enough/);
    land({ data: [one], ids: ['a'] });
    assert.deepEqual((await stays).data, [one]);
    assert.equal(await balance(), 49_997);
  });
});
