import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { catalogue, type ErrorCode } from '../../../lib/errors/extract-error.js';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { docsBase } from '../../support/api-description.js';
import { pay } from '../../support/pay.js';
import { testServer } from '../../support/server.js';
import { clientOf, idsInPages, idsOf } from './jobs/jobs-app.js';

const server = await testServer({ config: { metricsToken: 'metrics-token' } });
const { secret, id } = await server.account({ credits: 50_000 });
const authorization = `Bearer ${secret}`;

/** Every answer that is an error: the contract's object and nothing else. */
async function refused(request: InjectOptions, code: ErrorCode) {
  const answer = await server.app.inject(request);
  const { error, ...rest } = answer.json();
  assert.deepEqual(rest, {});
  assert.deepEqual(Object.keys(error), ['type', 'code', 'message', 'docs', 'request_id']);
  assert.equal(error.code, code, error.message);
  assert.equal(answer.statusCode, catalogue[code].status);
  assert.equal(error.type, catalogue[code].type);
  assert.equal(error.docs, `${docsBase}/docs/errors/${code}`);
  assert.equal(answer.headers['x-request-id'], error.request_id);
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.match(error.request_id, /^req_[0-9A-Z]{26}$/);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  return answer;
}

describe('unknown paths', () => {
  test('is endpoint_not_found, whatever the method and the place', async () => {
    const api = '/ /v1 /v1/ /v2/maps/place /v1/maps /v1/maps/place/ /V1/maps/place /v1/maps%2fplace';
    const docs = '/docs/nothing /docs/errors/nothing /docs/objects/__proto__ /docs/endpoints/maps/nothing';
    for (const url of `${api} ${docs} /..%2f..%2fetc/passwd`.split(' '))
      await refused({ url }, 'endpoint_not_found');
    await refused({ url: '/v1/nothing', method: 'DELETE' }, 'endpoint_not_found');
    const aliasReply = await refused({ url: '/v1/tiktok/profile?username=a' }, 'endpoint_not_found');
    assert.match(aliasReply.json().error.message, /Use \/v1\/shortvideo\/profile\./);
    const longer = await refused({ url: '/v1/maps/place/?url=a' }, 'endpoint_not_found');
    assert.match(longer.json().error.message, /^Unknown path \/v1\/maps\/place\/\. Use \/v1\/maps\/place\./);
    await refused({ url: '/v1/nothing', method: 'POST', payload: { a: 1 } }, 'endpoint_not_found');
  });

  test('by another method is 405, on every route', async () => {
    const pages = '/openapi.json /v1/openapi.json /healthz /metrics /docs /docs/errors/rate_limited';
    for (const url of ['/v1/account', '/v1/usage', ...pages.split(' ')]) {
      const { headers } = await refused({ url, method: 'POST' }, 'method_not_allowed');
      assert.equal(headers.allow, 'GET, HEAD', url);
    }
    const readReply = await refused({ url: '/v1/maps/place', method: 'POST' }, 'method_not_allowed');
    assert.doesNotMatch(readReply.json().error.message, /Unknown path/);
  });
});

describe('requests that are too much', () => {
  test('a URL of 8 KiB is read, a longer one is not', async () => {
    const url = (length: number) => '/v1/account?x='.padEnd(length, 'y');
    await refused({ url: url(8192), headers: { authorization } }, 'unknown_parameter');
    const { json } = await refused({ url: url(8193) }, 'invalid_parameter');
    assert.match(json().error.message, /8 KiB/);
  });

  test('unexpected bodies are limited, and refused with a message', async () => {
    for (const [type, payload, code] of [
      ['application/json', 'x'.repeat(70_000), 'body_too_large'],
      ['application/json', '{"a":', 'invalid_body'],
      ['text/x-unknown', 'a', 'endpoint_not_found'],
    ] as const) {
      await refused({ url: '/nothing', method: 'POST', headers: { 'content-type': type }, payload }, code);
    }
  });
});

test('a body that is packed is refused by the name of its encoding, on every route that takes one', async () => {
  const payload = gzipSync('{"kind":"table","email":"a@example.com"}');
  const messageOf = async (url: string, encoding: string) => {
    const headers = { authorization, 'content-type': 'application/json', 'content-encoding': encoding };
    return (await refused({ method: 'POST', url, headers, payload }, 'invalid_body')).json().error.message;
  };
  for (const url of ['/v1/jobs', '/v1/jobs/job_none/links', '/v1/schedules', '/v1/webhooks/secret'])
    assert.match(await messageOf(url, 'GZIP'), /Content-Encoding gzip\. Send it uncompressed/, url);
  assert.doesNotMatch(await messageOf('/v1/jobs', 'a"<b>'), /<b>/);
});

test('a request without a body is refused if the route needs one', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream']) {
    const headers = { authorization, 'content-type': type };
    await refused({ method: 'POST', url: '/v1/jobs', headers }, 'invalid_body');
  }
});

describe('GET /v1/account', () => {
  test('returns the balance, its kind, and the permissions of the key', async () => {
    const order = { account: id, name: 'maps only', platforms: ['maps'] as const };
    const { key, secret: limited } = await server.accounts.createKey(order);
    const { body } = await server.ask('/v1/account', limited);
    const { created_at, ...data } = body.data as Record<string, unknown>;
    assert.equal(created_at, '2026-11-05T12:00:00.000Z');
    assert.deepEqual(data, {
      ...{ id, email: (await server.accounts.list())[0]?.email, is_verified: true },
      ...{ credits_remaining: 50_500, credits_kind: 'bought' },
      api_key: {
        ...{ id: key.id, name: 'maps only', platforms: ['maps'], expires_at: null, monthly_credits: null },
        ...{ monthly_credits_used: 0, monthly_credits_reset_at: '2026-12-01T00:00:00.000Z' },
      },
    });
    assert.equal(body.meta.credits_remaining, 50_500);
    const trial = await server.account();
    const account = (await server.ask('/v1/account', trial.secret)).body.data as Record<string, unknown>;
    assert.deepEqual([account.credits_kind, account.credits_remaining], ['trial', 500]);
  });
});

describe('GET /v1/keys', () => {
  test('lists the keys of the account alone, never a secret', async () => {
    const one = await server.account();
    const order = { account: one.id, name: 'lost', platforms: null };
    const { secret: lost } = await server.accounts.createKey(order);
    // That a key was used is written behind the answer, once a minute of the server's clock.
    const areNoted = (keys: readonly { readonly last_used_at: string | null }[]) =>
      keys.some(({ last_used_at }) => last_used_at !== null);
    await server.ask('/v1/keys', one.secret);
    while (!areNoted(await server.accounts.listKeys(one.id))) await setImmediate();
    const { status, text, body } = await server.ask('/v1/keys', one.secret);
    assert.equal(status, 200);
    const keys = await server.accounts.listKeys(one.id);
    const spend = { monthly_credits_used: 0, monthly_credits_reset_at: '2026-12-01T00:00:00.000Z' };
    const expected = keys.map((key) => ({ ...key, ...spend }));
    assert.deepEqual(body.data, expected);
    assert.ok(!text.includes(lost) && !text.includes(one.secret));
  });
});

describe('GET /v1/usage', () => {
  const at = (minute: number) => Date.UTC(2026, 10, 5, 12, minute);
  /** Puts calls of an account into the ledger, a minute after one another. */
  async function callsOf(account: string, called: readonly string[]) {
    for (const [row, endpoint] of called.entries()) {
      const id = `req_${account}_${row}`;
      await pay(server.ledger, { id, account, endpoint, credits: 1, needsPack: false, at: at(row) });
    }
  }

  test('pages through the ledger, newest first, each row once', async () => {
    const one = await server.account();
    const charge = (row: number) => ({
      ...{ id: `req_usage_${row}`, account: one.id, credits: 2, needsPack: false, at: at(row) },
      ...{ endpoint: row % 2 === 0 ? 'maps/place' : 'maps/photos', job: row < 3 ? 'job_1' : undefined },
    });
    for (let row = 0; row < 10; row += 1) await pay(server.ledger, charge(row));
    await server.ledger.charge({ ...charge(10), id: 'req_usage_failed' });
    await server.ledger.settle('req_usage_failed', { status: 'failed', code: 'platform_blocked' });

    const all = (await server.ask('/v1/usage', one.secret)).body.data as { id: string }[];
    assert.equal(all.length, 11);
    assert.equal(all[0]?.id, 'req_usage_failed');
    const { listed } = await idsInPages(clientOf(server.app, one).get, '/v1/usage?limit=4');
    assert.deepEqual(listed, idsOf({ data: all }));
    for (const [query, count] of [
      ['endpoint=maps/photos', 5],
      ['job_id=job_1', 3],
      [`from=${new Date(at(3)).toISOString()}&to=${new Date(at(5)).toISOString()}`, 2],
      ['from=2026-11-05', 11],
      ['to=2026-11-05', 0],
      ['from=2026-11-05T13:03:00%2B01:00', 8],
    ] as const) {
      const { data } = (await server.ask(`/v1/usage?${query}`, one.secret)).body;
      assert.equal((data as unknown[]).length, count, query);
    }
    const [first] = (await server.ask('/v1/usage?limit=1', one.secret)).body.data as object[];
    assert.partialDeepStrictEqual(first, {
      ...{ status: 'failed', error_code: 'platform_blocked', credits_charged: 0, credits_refunded: 2 },
    });
  });

  test('a cursor belongs to its account and its filters, and grows old', async () => {
    const [one, two] = [await server.account(), await server.account()];
    for (const { id: account } of [one, two]) await callsOf(account, ['maps/place', 'maps/place']);
    const { body } = await server.ask('/v1/usage?limit=1', one.secret);
    const cursor = String(body.meta.next_cursor);
    const code = async (query: string, key: string) =>
      (await server.ask(`/v1/usage?${query}`, key)).body.error?.code;
    assert.equal(await code(`cursor=${cursor}`, one.secret), undefined);
    for (const [query, by] of [
      [`cursor=${cursor}`, two],
      [`cursor=${cursor}&endpoint=maps/place`, one],
      [`cursor=${cursor.slice(0, -2)}`, one],
    ] as const)
      assert.equal(await code(query, by.secret), 'invalid_cursor', query);
    server.clock.time += 24 * 3_600_000 + 1000;
    assert.equal(await code(`cursor=${cursor}`, one.secret), 'cursor_expired');
  });

  test('shows a key of some platforms the rows of no other, and no account those of another', async () => {
    const one = await server.account();
    await callsOf(one.id, ['maps/place', 'shortvideo/profile', 'maps/photos']);
    const limited = await server.accounts.createKey({ account: one.id, name: 'maps', platforms: ['maps'] });
    const endpointsOf = async (query: string, key = limited.secret) =>
      ((await server.ask(`/v1/usage${query}`, key)).body.data as { readonly endpoint: string }[]).map(
        ({ endpoint }) => endpoint,
      );
    assert.deepEqual(await endpointsOf('', one.secret), ['maps/photos', 'shortvideo/profile', 'maps/place']);
    assert.deepEqual(await endpointsOf(''), ['maps/photos', 'maps/place']);
    assert.deepEqual(await endpointsOf('?endpoint=shortvideo/profile'), []);
    assert.deepEqual(await endpointsOf('', (await server.account()).secret), []);
  });

  test('refuses unsupported input', async () => {
    const refusing = async (query: string) => (await server.ask(`/v1/usage?${query}`, secret)).body.error;
    const times = ['from=yesterday', 'to=2026-13-01', 'to=2026-02-30T00:00:00Z', 'from=2026-11-05T12:00'];
    for (const query of ['limit=0', 'limit=101', ...times, 'endpoint='])
      assert.equal((await refusing(query)).code, 'invalid_parameter', query);
    const { message = '' } = await refusing('from=yesterday');
    assert.match(message, /from must be a day or a time such as 2026-11-01 or 2026-11-01T06:00:00Z\./);
    assert.equal((await refusing('page=2')).code, 'unknown_parameter');
  });
});

describe('routes for operators', () => {
  test('health needs no key', async () => {
    const { status, body } = await server.ask('/healthz');
    assert.deepEqual([status, body], [200, { status: 'ok', cache: 'ok' }]);
  });

  test('metrics require their token if one is set', async () => {
    await refused({ url: '/metrics' }, 'invalid_api_key');
    await refused({ url: '/metrics', headers: { authorization } }, 'invalid_api_key');
    const { status, text } = await server.ask('/metrics', 'metrics-token');
    assert.equal(status, 200);
    assert.match(text, /^# HELP extract_answers_total/m);
  });

  test('metrics without a token are for this machine alone, unless the operator opens them', async () => {
    const [here, there] = ['http://localhost:8787', 'https://extract.example.com'];
    const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip'];
    for (const [publicAddress, config, headers, status] of [
      [here, {}, {}, 200],
      ['http://[::1]:8787', { host: '::1' }, {}, 200],
      ...['0.0.0.0', '::', '192.0.2.7', 'extract.example.com', '127.evil.example'].map(
        (host) => [here, { host }, {}, 401] as const,
      ),
      [there, {}, {}, 401],
      ...forwarded.map((name) => [here, {}, { [name]: '203.0.113.7' }, 401] as const),
      [there, { host: '0.0.0.0', metricsOpen: true }, {}, 200],
    ] as const) {
      const { app } = await testServer({ publicAddress, config: { metricsOpen: false, ...config } });
      const { statusCode, body } = await app.inject({ url: '/metrics', headers });
      assert.equal(statusCode, status, JSON.stringify([publicAddress, config, headers]));
      if (status === 401) assert.match(JSON.parse(body).error.message, /Set EXTRACT_METRICS_TOKEN/);
    }
  });

  test('a ledger that cannot be used is an unhealthy server', async () => {
    const broken = await testServer();
    await broken.ledger.close();
    const { status, body } = await broken.ask('/healthz');
    assert.deepEqual([status, body.error.code], [500, 'internal_error']);
  });

  test('a ledger that cannot be written to any more is an unhealthy server, until it can', async () => {
    const shaky = await testServer();
    let fault: Error | null = null;
    let looked = 0;
    shaky.ledger.checkWritable = async () => {
      looked += 1;
      if (fault !== null) throw fault;
    };
    const health = async () => (await shaky.ask('/healthz')).status;
    assert.equal(await health(), 200);
    fault = new StorageError('unwritable', 'The credit ledger cannot be opened for writing.');
    shaky.clock.time += 1_000;
    assert.deepEqual([await health(), await health()], [500, 500]);
    fault = null;
    shaky.clock.time += 1_000;
    assert.deepEqual([await health(), await health(), looked], [200, 200, 3]);
  });
});

describe('browsers of other origins', () => {
  const origin = 'https://app.example';
  const get = (app: typeof server.app, method: 'GET' | 'OPTIONS' = 'GET') =>
    app.inject({
      method,
      url: '/v1/shortvideo/profile?username=nasa&demo=true',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });

  test('are only allowed if the operator enables them', async () => {
    assert.equal((await get(server.app)).headers['access-control-allow-origin'], undefined);
    assert.equal((await get(server.app, 'OPTIONS')).statusCode, 405);
  });

  test('are let in from the origins of the setting, with the headers they need', async () => {
    const some = await testServer({ config: { corsOrigins: [origin] } });
    const { headers, statusCode } = await get(some.app);
    assert.deepEqual([statusCode, headers['access-control-allow-origin']], [200, origin]);
    // Every header documented for an answer, except those that browsers expose by default.
    for (const name of ['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'ETag', 'Content-Range']) {
      assert.match(String(headers['access-control-expose-headers']), new RegExp(`\\b${name}\\b`));
    }
    const reply = await some.app.inject({ url: '/v1/maps/place?demo=true', headers: { origin } });
    assert.equal(reply.headers['access-control-allow-origin'], origin);
    assert.match(String(reply.headers['x-request-id']), /^req_/);
    const preflight = await get(some.app, 'OPTIONS');
    assert.equal(preflight.statusCode, 204);
    assert.equal(preflight.headers['access-control-allow-headers'], 'authorization');
    assert.equal((await some.app.inject({ url: '/healthz', method: 'OPTIONS' })).statusCode, 204);
    const nowhere = await some.app.inject({ url: '/v1/nothing', headers: { origin } });
    assert.deepEqual([nowhere.statusCode, nowhere.json().error.code], [404, 'endpoint_not_found']);
    const elsewise = await some.app.inject({ url: '/healthz', method: 'PUT' });
    assert.deepEqual([elsewise.statusCode, elsewise.headers.allow], [405, 'GET, HEAD']);
    const foreign = await some.app.inject({ url: '/healthz', headers: { origin: 'https://evil.example' } });
    assert.notEqual(foreign.headers['access-control-allow-origin'], 'https://evil.example');
    const all = await testServer({ config: { corsOrigins: ['*'] } });
    assert.equal((await get(all.app)).headers['access-control-allow-origin'], '*');
  });
});

test('an authorization header is read in any case, and another scheme is refused with a message', async () => {
  const status = async (authorization: string) =>
    (await server.app.inject({ url: '/v1/account', headers: { authorization } })).statusCode;
  for (const good of [`bearer ${secret}`, `BEARER   ${secret} `]) assert.equal(await status(good), 200, good);
  for (const wrong of ['', 'Bearer', `Basic ${secret}`, secret, `Bearer ${secret} x`, `Bearer x${secret}`])
    assert.equal(await status(wrong), 401, wrong);
});
