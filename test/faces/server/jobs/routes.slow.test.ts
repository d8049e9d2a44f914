import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Platform } from '../../../../lib/platforms.js';
import type { CallFunction } from '../../../../src/service/jobs/runner/run-input.js';
import { assertSound } from '../../../ledger/books.js';
import {
  appOf,
  awaitJob,
  echo,
  type JobsHarness,
  makeJob,
  numbered,
  picky,
  until,
} from '../../../service/jobs/harness.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { gate } from '../../../support/gate.js';
import { clientOf, codeOf, idsInPages, jobsApp, refusalOf } from './jobs-app.js';

const jobKeys = [
  ...['id', 'endpoint', 'status', 'total', 'completed', 'failed', 'credits_reserved', 'credits_refunded'],
  ...['results_url', 'results_expire_at', 'created_at', 'finished_at'],
];
const endpoint = 'maps/harbours';
const inputs = [{ query: 'a' }, { query: 'b' }];
const order = { endpoint, inputs };
const never: CallFunction = (_, __, ___, signal) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );

describe('POST /v1/jobs', () => {
  test('answers 202 with the whole job, its cost reserved', async (t) => {
    const { post } = await jobsApp(t, { start: false, credits: 0 });
    const answer = await post('/v1/jobs', order);
    assert.equal(answer.statusCode, 202);
    const { data, meta } = answer.json();
    assert.deepEqual(Object.keys(data), jobKeys);
    assert.match(data.id, /^job_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(data.results_url, `/v1/jobs/${data.id}/results`);
    assert.deepEqual([data.status, data.total, data.completed, data.failed], ['queued', 2, 0, 0]);
    assert.deepEqual([data.credits_reserved, data.credits_refunded, data.finished_at], [6, 0, null]);
    assert.deepEqual(meta, { request_id: answer.headers['x-request-id'], credits_remaining: 494 });
  });

  for (const [change, code] of [
    [(all: JobsHarness, id: string) => all.accounts.revokeKey(id), 'revoked_api_key'],
    [(all: JobsHarness, id: string) => all.accounts.limitKey(id, 5), 'insufficient_credits'],
  ] as const) {
    test(`refuses a body whose key came to be refused as ${code} while it was sent`, async (t) => {
      const { all, customer, post } = await jobsApp(t, { start: false });
      const credits = await all.credits(customer.account);
      async function* body() {
        yield '{"endpoint":"maps/harbours",';
        await change(all, customer.key.id);
        yield `"inputs":${JSON.stringify(inputs)}}`;
      }
      // As over a socket, where this header announces a body of unknown length.
      const answer = await post('/v1/jobs', Readable.from(body()), { 'transfer-encoding': 'chunked' });
      assert.equal(codeOf(answer), code);
      assert.equal(await all.credits(customer.account), credits);
    });
  }

  test('takes a name of one line, and shows it wherever the job is', async (t) => {
    const { all, customer, get, post } = await jobsApp(t, { start: false, credits: 0 });
    const withName = (name: unknown) => post('/v1/jobs', { ...order, name });
    const longest = 'é'.repeat(100);
    for (const [name, shownName] of [
      ['Weekly check', 'Weekly check'],
      ['  Häfen, größte \u{1f6a2} ', 'Häfen, größte \u{1f6a2}'],
      [longest, longest],
      ['<b>', '<b>'],
    ] as const) {
      const { data } = (await withName(name)).json();
      assert.deepEqual(Object.keys(data), ['id', 'name', ...jobKeys.slice(1)]);
      assert.equal(data.name, shownName);
      assert.equal((await get(`/v1/jobs/${data.id}`)).json().data.name, shownName);
      assert.equal((await get('/v1/jobs?limit=1')).json().data[0].name, shownName);
    }
    for (const none of ['', '  ', null])
      assert.ok(!('name' in (await withName(none)).json().data), String(none));
    const credits = await all.credits(customer.account);
    for (const wrong of [`${longest}a`, 'two\nlines', 'bell\u0007', 7, ['a'], {}]) {
      const answer = await withName(wrong);
      assert.deepEqual(refusalOf(answer), [400, 'invalid_parameter'], JSON.stringify(wrong));
      assert.match(answer.json().error.message, /^The field name must be one line of at most 100 char/);
    }
    assert.equal(await all.credits(customer.account), credits);
  });

  test('refuses invalid input before any charge', async (t) => {
    const { all, customer, get, post } = await jobsApp(t, {
      ...{ start: false, credits: 0 },
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    const many = (count: number) => Array.from({ length: count }, () => ({}));
    const ofInput = (text: string) => `{"endpoint":"maps/harbours","inputs":[${text}]}`;
    const cases: readonly (readonly [body: unknown, status: number, code: string])[] = [
      ...['nothing', '', '[]', 'null', ofInput('{"__proto__":{}}')].map(
        (body) => [body, 400, 'invalid_body'] as const,
      ),
      [ofInput(`{"query":${'['.repeat(1e5)}${']'.repeat(1e5)}}`), 400, 'invalid_body'],
      [ofInput(`${'{"query":'.repeat(17)}1${'}'.repeat(17)}`), 400, 'invalid_body'],
      [{ inputs }, 400, 'missing_parameter'],
      [{ endpoint }, 400, 'missing_parameter'],
      [{ endpoint: 7, inputs }, 400, 'invalid_parameter'],
      [{ endpoint: 'maps/nowhere', inputs }, 404, 'endpoint_not_found'],
      [{ endpoint: '/v1/maps/harbours', inputs }, 404, 'endpoint_not_found'],
      ...[{}, [], ['a'], [[]], [null]].map(
        (wrong) => [{ endpoint, inputs: wrong }, 400, 'invalid_parameter'] as const,
      ),
      [{ endpoint, inputs: many(10_001) }, 400, 'too_many_inputs'],
      [{ endpoint, inputs: many(167) }, 403, 'insufficient_credits'],
      [{ ...order, webhook: 'https://example.com' }, 400, 'unknown_parameter'],
      [{ ...order, archive: true }, 400, 'invalid_body'],
      [{ ...order, webhook_url: 'nowhere' }, 400, 'invalid_parameter'],
      [{ ...order, webhook_url: 'https://a:b@example.com' }, 400, 'invalid_parameter'],
      [{ ...order, webhook_url: 'http://example.com' }, 400, 'webhook_url_not_https'],
      [{ ...order, webhook_url: 'https://127.1/' }, 400, 'webhook_url_not_allowed'],
      [{ ...order, webhook_url: 'https://intern.example.com/' }, 400, 'webhook_url_not_allowed'],
    ];
    for (const [body, status, code] of cases) {
      const answer = await post('/v1/jobs', body);
      assert.deepEqual(refusalOf(answer), [status, code], JSON.stringify(body).slice(0, 100));
    }
    assert.equal(await all.credits(customer.account), 500);
    assert.equal((await get('/v1/jobs')).json().data.length, 0);
  });

  test('requires a key before it reads the body, and one that may call the platform', async (t) => {
    const { all, app, customer } = await jobsApp(t, { start: false });
    const stranger = await clientOf(app, { secret: 'none' }).post('/v1/jobs', 'no JSON');
    assert.equal(codeOf(stranger), 'invalid_api_key');
    const limited = await all.accounts.createKey({
      ...{ account: customer.account, name: 'short', platforms: ['shortvideo'] },
    });
    assert.equal(codeOf(await clientOf(app, limited).post('/v1/jobs', order)), 'platform_not_allowed');
  });

  test('looks at the balance before it reads the body, but for a request that was answered before', async (t) => {
    const { all, app, customer, post } = await jobsApp(t, { start: false });
    const { account } = customer;
    const repeated = { 'idempotency-key': 'once' };
    assert.equal((await post('/v1/jobs', order, repeated)).statusCode, 202);
    const { credits } = await all.ledger.balance(account);
    const rest = { id: 'rest', account, endpoint: 'maps/place', credits, needsPack: false };
    await all.ledger.pay({ ...rest, at: all.clock.now() });
    assert.equal(codeOf(await post('/v1/jobs', 'no JSON')), 'insufficient_credits');
    const other = await post('/v1/jobs', 'no JSON', { 'idempotency-key': 'other' });
    assert.equal(codeOf(other), 'insufficient_credits');
    assert.equal((await post('/v1/jobs', order, repeated)).headers['idempotent-replayed'], 'true');
    const capped = await all.accounts.createKey({
      ...{ account: (await all.customer()).account, name: 'capped', platforms: null, monthlyCredits: 1 },
    });
    assert.equal(codeOf(await clientOf(app, capped).post('/v1/jobs', 'no JSON')), 'insufficient_credits');
  });

  test('takes a body of 16 MiB and no more', async (t) => {
    const { post } = await jobsApp(t, { start: false });
    const large = Array.from({ length: 300 }, () => ({ query: 'a'.repeat(55_000) }));
    const body = JSON.stringify({ endpoint, inputs: large });
    const sized = (bytes: number) => post('/v1/jobs', body.padEnd(bytes));
    assert.equal((await sized(16 * 1024 * 1024)).statusCode, 202);
    assert.deepEqual(refusalOf(await sized(16 * 1024 * 1024 + 1)), [413, 'body_too_large']);
  });

  test('accepts inputs of 64 KiB, 50 keys and 16 levels each, and names a larger one', async (t) => {
    const { post } = await jobsApp(t, { start: false });
    const ask = (...texts: readonly string[]) =>
      post('/v1/jobs', `{"endpoint":"maps/harbours","inputs":[{},${texts.join(',')}],"webhook_url":null}`);
    const text = (bytes: number) => `{"query":"${'a'.repeat(bytes - 12)}"}`;
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])));
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const sound = [text(65_536), keys(50), deep(16), ` ${keys(3)} `, '{"q":"\\"}]"}', '{"q":[1,{},[]]}'];
    for (const good of sound) assert.equal((await ask(good)).statusCode, 202, good.slice(0, 40));
    for (const [beyond, why] of [
      [text(65_537), /inputs\[2\] is larger than 64 KiB/],
      [keys(51), /inputs\[2\] is of more than 50 keys/],
      [`{"a":${keys(50)}}`, /50 keys/],
      [deep(17), /inputs\[2\] is nested deeper than 16 levels/],
      [`{"a":${'['.repeat(16)}${']'.repeat(16)}}`, /16 levels/],
      [`{"q":"${'\\u0041'.repeat(2_000_000)}"}`, /64 KiB/],
      [`{"a":${'['.repeat(1e6)}`, /16 levels/],
      ['{"__proto__":1}', /__proto__/],
      ['{"a":{"constructor":{"prototype":1}}}', /constructor/],
    ] as const) {
      const answer = await ask('{"q":1}', beyond);
      assert.deepEqual(refusalOf(answer), [400, 'invalid_body'], beyond.slice(0, 40));
      assert.match(answer.json().error.message, why);
    }
    for (const broken of ['{"q":1]', '{"q":}', '{"q":1', '{"q":1}}', '{},', ',', '{"q":tru}', '\u0000'])
      assert.deepEqual(refusalOf(await ask(broken)), [400, 'invalid_body'], broken);
    const twice = '{"inputs":[],"inputs":[]}';
    for (const body of [twice, '{"endpoint":"maps/harbours"', '{} {}', '{"a":1,}', '{"a" 1}', '{a:1}'])
      assert.deepEqual(refusalOf(await post('/v1/jobs', body)), [400, 'invalid_body'], body);
  });

  test('with an idempotency key is one job however often it is requested', async (t) => {
    const clock = new FakeClock();
    const { all, app, customer } = await jobsApp(t, { clock });
    const other = await all.customer();
    const before = await all.credits(customer.account);
    const ask = (who = customer, what: unknown = order, key = 'order-7') =>
      clientOf(app, who).post('/v1/jobs', what, { 'idempotency-key': key });
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));
    assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [202]);
    assert.equal(new Set(answers.map(({ payload }) => payload)).size, 1);
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    assert.equal(replayed.length, 49);
    assert.equal(await all.credits(customer.account), before - 6);
    const id = answers[0]?.json().data.id;
    await awaitJob(all, customer, id);
    // The same answer as then, though the job has moved on.
    const replay = await ask();
    assert.equal(replay.payload, answers[0]?.payload);
    const ids = [...answers, replay].map(({ headers }) => headers['x-request-id']);
    assert.equal(new Set(ids).size, 51, 'each request has an id of its own');
    assert.ok(ids.includes(replay.json().meta.request_id), 'the body carries the id of the first');
    assert.equal(codeOf(await ask(customer, { endpoint, inputs: [{ query: 'c' }] })), 'idempotency_mismatch');
    assert.notEqual((await ask(other)).json().data.id, id);
    assert.notEqual((await ask(customer, order, 'order-8')).json().data.id, id);
    for (const key of ['', ' ', 'k'.repeat(256)])
      assert.equal(codeOf(await ask(customer, order, key)), 'invalid_parameter');
    clock.set(clock.now() + 24 * 3_600_000);
    const later = await ask();
    assert.notEqual(later.json().data.id, id);
    assert.equal(later.headers['idempotent-replayed'], undefined);
  });

  test('that was refused does not use up its idempotency key', async (t) => {
    const { all, customer, post } = await jobsApp(t, { start: false, credits: 0 });
    const ask = () =>
      post('/v1/jobs', { endpoint, inputs: Array(200).fill({ query: 'a' }) }, { 'idempotency-key': 'k' });
    assert.equal(codeOf(await ask()), 'insufficient_credits');
    const pack = { id: 'pack_1', account: customer.account, credits: 1000, kind: 'pack' } as const;
    await all.ledger.grant({ ...pack, at: new Date().toISOString() });
    assert.equal((await ask()).statusCode, 202);
  });
});

describe('GET /v1/jobs', () => {
  test('lists the jobs of the account, newest first, page by page', async (t) => {
    const { all, app, customer, get } = await jobsApp(t);
    const other = await all.customer();
    const ids: string[] = [];
    for (const query of numbered(5)) ids.unshift(await makeJob(all, customer, [query]));
    await makeJob(all, other, ['x']);
    const { listed, last } = await idsInPages(get, '/v1/jobs?limit=2');
    assert.deepEqual(listed, ids);
    assert.equal(codeOf(await clientOf(app, other).get(last)), 'invalid_cursor');
    for (const wrong of ['?limit=0', '?limit=101', '?page=2'])
      assert.equal((await get(`/v1/jobs${wrong}`)).statusCode, 400, wrong);
  });

  test('shows a job to its own account only', async (t) => {
    const { all, app, customer, get } = await jobsApp(t);
    const stranger = clientOf(app, await all.customer());
    const id = await makeJob(all, customer, ['a']);
    await awaitJob(all, customer, id);
    const { data } = (await get(`/v1/jobs/${id}`)).json();
    assert.deepEqual([Object.keys(data), data.status], [jobKeys, 'done']);
    for (const url of [`/v1/jobs/${id}`, `/v1/jobs/${id}/results`, `/v1/jobs/${id}/webhook`])
      assert.equal(codeOf(await stranger.get(url)), 'job_not_found', url);
    assert.equal(codeOf(await stranger.post(`/v1/jobs/${id}/cancel`)), 'job_not_found');
    assert.equal(codeOf(await get('/v1/jobs/job_none')), 'job_not_found');
    assert.equal(codeOf(await get(`/v1/jobs/${id}/results?wait=yes`)), 'invalid_parameter');
  });
});

describe('a key that is limited to platforms', () => {
  test('sees, follows and cancels jobs of those alone, and has no signing secret', async (t) => {
    const { all, app, customer, get } = await jobsApp(t, { start: false });
    const webhook = { webhookUrl: 'https://example.com/' };
    const job = await makeJob(all, customer, ['a'], { ...webhook, endpoint: 'shortvideo/profile' });
    const foreign = await makeJob(all, customer, ['b'], webhook);
    const limitedTo = async (...platforms: Platform[]) =>
      clientOf(app, await all.accounts.createKey({ account: customer.account, name: 'some', platforms }));
    const limited = await limitedTo('shortvideo', 'photosocial');
    const idsFor = async (client: Pick<typeof limited, 'get'>) =>
      (await client.get('/v1/jobs')).json().data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await idsFor(limited), [job]);
    assert.deepEqual(await idsFor(await limitedTo('pronetwork')), []);
    assert.deepEqual(await idsFor({ get }), [foreign, job]);
    for (const [method, path, status] of [
      ['get', '', 200],
      ['get', '/results', 200],
      ['get', '/webhook', 200],
      // Nothing has run: there is nothing to send again.
      ['post', '/webhook/redeliver', 409],
      ['get', '/archive', 409],
      ['post', '/cancel', 200],
    ] as const) {
      const hidden = await limited[method](`/v1/jobs/${foreign}${path}`);
      assert.deepEqual(refusalOf(hidden), [404, 'job_not_found']);
      assert.equal((await limited[method](`/v1/jobs/${job}${path}`)).statusCode, status, path);
    }
    for (const method of ['get', 'post'] as const)
      assert.deepEqual(refusalOf(await limited[method]('/v1/webhooks/secret')), [
        403,
        'platform_not_allowed',
      ]);
    assert.equal((await get('/v1/webhooks/secret')).statusCode, 200);
    assert.equal((await get(`/v1/jobs/${foreign}`)).json().data.status, 'queued');
  });
});

describe('POST /v1/jobs/{id}/cancel', () => {
  test('refunds inputs that never ran, and writes their lines', async (t) => {
    let calls = 0;
    const { all, customer, get, post } = await jobsApp(t, {
      ask: (...args) => {
        calls += 1;
        return calls <= 5 ? picky(...args) : never(...args);
      },
    });
    const before = await all.credits(customer.account);
    const id = await makeJob(all, customer, ['bad', ...numbered(2500)]);
    await until(async () => (await all.jobs.store.find(customer.account, id)).completed === 4);
    const { data, meta } = (await post(`/v1/jobs/${id}/cancel`)).json();
    assert.deepEqual([data.status, data.total, data.completed, data.failed], ['cancelled', 2501, 4, 2497]);
    assert.equal(data.credits_refunded, 2497 * 3);
    assert.ok(data.finished_at !== null && data.results_expire_at !== null);
    assert.equal(meta.credits_remaining, before - 12);
    // The results are complete even if requested immediately.
    const lines = (await get(data.results_url)).payload.trimEnd().split('\n');
    assert.equal(lines.length, 2501, String(lines[0]));
    assert.equal(JSON.parse(lines[0] ?? '').error.code, 'place_not_found');
    for (const [at, line] of lines.entries()) {
      if (at < 5) continue;
      const { input, error } = JSON.parse(line);
      assert.deepEqual([input.query, error.code, error.type], [`q${at - 1}`, 'job_cancelled', 'conflict']);
      assert.deepEqual(Object.keys(error), ['type', 'code', 'message', 'docs', 'request_id']);
    }
    assert.deepEqual(refusalOf(await post(`/v1/jobs/${id}/cancel`)), [409, 'job_already_finished']);
    assert.deepEqual((await get(`/v1/jobs/${id}`)).json().data, data);
    assertSound(path.join(all.home, 'ledger.db'));
  });
});

describe('GET /v1/jobs/{id}/results', () => {
  test('sends the lines whole, in ranges, from a line on and packed', async (t) => {
    const { all, customer, get, head } = await jobsApp(t);
    const id = await makeJob(all, customer, numbered(300));
    await awaitJob(all, customer, id);
    const url = `/v1/jobs/${id}/results`;
    const { headers: fullHeaders, rawPayload: bytes, payload: text } = await get(url);
    assert.deepEqual(
      ['content-type', 'accept-ranges', 'content-length'].map((name) => fullHeaders[name]),
      ['application/x-ndjson; charset=utf-8', 'bytes', String(bytes.length)],
    );
    const size = bytes.length;
    const range = async (header: string) => {
      const { statusCode, headers, rawPayload } = await get(url, { range: header });
      return [statusCode, headers['content-range'], rawPayload] as const;
    };
    for (const [header, from, to] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100-', 100, size],
      ['bytes=-7', size - 7, size],
      [`bytes=5-${size * 2}`, 5, size],
    ] as const) {
      const part = [206, `bytes ${from}-${to - 1}/${size}`, bytes.subarray(from, to)];
      assert.deepEqual(await range(header), part, header);
    }
    for (const ignored of ['bytes=9-3', 'lines=0-1', 'bytes=0-1,5-6', 'bytes=-', 'bytes=a-b'])
      assert.deepEqual((await range(ignored)).slice(0, 2), [200, undefined], ignored);
    for (const outside of [`bytes=${size}-`, 'bytes=-0'])
      assert.deepEqual((await range(outside)).slice(0, 2), [416, `bytes */${size}`], outside);
    const headed = await head(url, { range: 'bytes=0-0' });
    assert.deepEqual([headed.statusCode, headed.headers['content-length']], [200, String(size)]);
    const lines = text.split('\n');
    for (const from of [0, 1, 299, 300, 10_000]) {
      const { payload } = await get(`${url}?from=${from}`);
      assert.equal(payload, lines.slice(Math.min(from, 300)).join('\n'), String(from));
    }
    for (const encoding of ['gzip', 'br, gzip;q=0.5', 'gzip;q=1.0, identity;q=0.5', '*']) {
      const packed = await get(url, { 'accept-encoding': encoding });
      assert.equal(packed.headers['content-encoding'], 'gzip', encoding);
      assert.ok(packed.rawPayload.length < size / 2);
      assert.deepEqual(gunzipSync(packed.rawPayload), bytes);
    }
    for (const encoding of ['identity', 'gzip;q=0', 'br']) {
      const plain = await get(url, { 'accept-encoding': encoding });
      assert.equal(plain.headers['content-encoding'], undefined, encoding);
    }
  });

  test('of a running job are the final lines so far, or all of them when waiting', async (t) => {
    const waiting: (() => void)[] = [];
    const { all, app, customer, get } = await jobsApp(t, {
      ask: async (...args) => {
        if (/^q[35]$/.test(String(args[1].query)))
          await new Promise<void>((resolve) => waiting.push(resolve));
        return echo(...args);
      },
    });
    const id = await makeJob(all, customer, numbered(8));
    await until(async () => (await all.jobs.store.find(customer.account, id)).completed === 6);
    const base = await app.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => app.close());
    const url = `/v1/jobs/${id}/results`;
    const authorization = `Bearer ${customer.secret}`;
    const part = await get(url, { range: 'bytes=0-3' });
    assert.equal(part.headers['content-range'], 'bytes 0-3/*');
    assert.equal((await get(url)).payload.split('\n').length, 4);
    for (const encoding of ['identity', 'gzip']) {
      const response = await fetch(`${base}${url}?wait=true&from=1`, {
        headers: { authorization, 'accept-encoding': encoding },
      });
      const reader = (response.body as ReadableStream<Uint8Array>)
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .getReader();
      let text = '';
      const readLines = async (lines: number) => {
        while (text.split('\n').length <= lines) {
          const { value, done } = await reader.read();
          if (done) return true;
          text += value;
        }
        return false;
      };
      if (encoding === 'identity') {
        for (const lines of [2, 4]) {
          assert.equal(await readLines(lines), false);
          waiting.shift()?.();
        }
      }
      assert.equal(await readLines(8), true);
      const queries = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).input.query);
      assert.deepEqual(queries, numbered(8).slice(1));
    }
    const ask = async (method: string, headers: Record<string, string>) => {
      const answer = await fetch(`${base}${url}`, {
        method,
        headers: { authorization, 'accept-encoding': 'identity', ...headers },
      });
      const lengths = ['content-length', 'content-range'].map((name) => answer.headers.get(name));
      return [answer.status, ...lengths, await answer.text()];
    };
    const lines = String((await ask('GET', {})).at(-1));
    assert.deepEqual(await ask('GET', {}), [200, String(lines.length), null, lines]);
    assert.deepEqual(await ask('HEAD', {}), [200, String(lines.length), null, '']);
    const last = `bytes ${lines.length - 9}-${lines.length - 1}/${lines.length}`;
    assert.deepEqual(await ask('GET', { range: 'bytes=-9' }), [206, '9', last, lines.slice(-9)]);
    assert.equal((await ask('GET', { range: 'bytes=99999999-' }))[0], 416);
  });

  test('can be followed as long as the client reads them', async (t) => {
    const { opened, open: release } = gate();
    const large = 'x'.repeat(2_000_000);
    const { all, customer } = await jobsApp(t, {
      ask: async (...args) => {
        if (args[1].query === 'q1') await opened;
        return { ...(await echo(...args)), json: JSON.stringify(large) };
      },
    });
    const id = await makeJob(all, customer, numbered(20));
    await until(async () => (await all.jobs.store.readProgress(customer.account, id)).lines === 1);
    const app = appOf(all, 200);
    await app.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    const follow = () => {
      const socket = net.connect(port, '127.0.0.1');
      const key = `Authorization: Bearer ${customer.secret}`;
      socket.write(`GET /v1/jobs/${id}/results?wait=true HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`);
      return socket;
    };
    const [patient, idle] = [follow(), follow()];
    patient.resume();
    await until(() => patient.bytesRead > large.length);
    // Longer than a connection may stall: a client that has read everything so far is not disconnected.
    await setTimeout(600);
    release();
    await until(() => patient.bytesRead > 20 * large.length);
    const open = () =>
      new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
    while ((await open()) > 1) await setTimeout(20);
    assert.equal(patient.destroyed, false);
    for (const socket of [patient, idle]) socket.destroy();
  });
});
