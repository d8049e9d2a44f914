import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../../lib/endpoints.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { routeSource } from '../../../../lib/web/routes.js';
import { pausedPages } from '../../../support/paused-pages.js';
import { callers, queryOf, type TestServer, testServer } from '../../../support/server.js';

const endpoint = endpoints.find(({ path }) => path === 'shortvideo/videos') ?? assert.fail();
const url = `/v1/${endpoint.path}?${await queryOf(endpoint)}`;

/** A server that has already answered the request, and the key of that request. */
async function knowing(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer(options);
  const rich = await server.account({ credits: 50_000 });
  await server.serve(endpoint);
  const first = await server.ask(url, rich.secret);
  assert.equal(first.status, 200, first.text);
  return { server, rich, first };
}

/** The answers of the fast path, which knows the request, and of fastify's own route, without IDs and counts. */
async function bothWays({ app, ask }: TestServer, secret: string | null) {
  const comparable = (status: number, headers: Readonly<Record<string, unknown>>, text: string) => {
    const { data, meta, error } = JSON.parse(text);
    const { request_id: id, credits_remaining: _, ...rest } = meta ?? error;
    assert.equal(headers['x-request-id'], id);
    const { date: _date, 'x-request-id': _id, 'content-length': length, ratelimit, ...others } = headers;
    assert.equal(Number(length), Buffer.byteLength(text));
    return { status, data, rest, isError: error !== undefined, headers: others, limited: Boolean(ratelimit) };
  };
  const short = await ask(url, secret);
  const headers = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const { statusCode, headers: replyHeaders, body } = await app.inject({ url, headers });
  return [
    comparable(short.status, short.headers, short.text),
    comparable(statusCode, replyHeaders, body),
  ] as const;
}

describe('a repeated request', () => {
  test('is answered as any other is, and charged once each time', async () => {
    const { server, rich, first } = await knowing();
    const [short, ordinary] = await bothWays(server, rich.secret);
    assert.deepEqual(short, ordinary);
    assert.deepEqual(short.data, first.body.data);
    const { rows } = await server.ledger.usage(rich.id, { limit: 10 });
    assert.deepEqual(
      rows.map(({ status, cached, credits_charged }) => [status, cached, credits_charged]),
      [true, true, false].map((cached) => ['ok', cached, endpoint.credits]),
    );
  });

  test('is refused as any other is: by key, right, address and balance', async () => {
    const { server, rich } = await knowing();
    const { poor, refused, keyFor } = await callers(server);
    for (const [secret, status, code] of [
      ...refused,
      [await keyFor('maps'), 403, 'platform_not_allowed'],
      [poor.secret, 403, 'insufficient_credits'],
    ] as const) {
      const [short, ordinary] = await bothWays(server, secret);
      assert.deepEqual([short.status, short.rest.code], [status, code]);
      assert.deepEqual(short, ordinary);
    }
    assert.equal((await server.ledger.balance(rich.id)).credits, 50_500 - endpoint.credits);
  });

  test('counts once against the limit, whether it is answered or refused', async () => {
    const { server, rich } = await knowing({ config: { rateLimit: 4 } });
    const creditsLeft = async (secret: string) => {
      const { status, headers } = await server.ask(url, secret);
      return [status, Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])];
    };
    assert.deepEqual(await creditsLeft(rich.secret), [200, 2]);
    const unverified = await server.account({ verified: false });
    assert.deepEqual(await creditsLeft(unverified.secret), [403, 3]);
    assert.deepEqual(await creditsLeft(unverified.secret), [403, 2]);
    await creditsLeft(rich.secret);
    await creditsLeft(rich.secret);
    const [short, ordinary] = await bothWays(server, rich.secret);
    assert.deepEqual([short.status, short.rest.code], [429, 'rate_limited']);
    assert.deepEqual(short, ordinary);
  });

  test('returns the current answer, not the earlier one', async () => {
    const { server, rich, first } = await knowing();
    assert.deepEqual((await server.ask(url, rich.secret)).body.data, first.body.data);
    const { cache } = server;
    const one = (first.body.data as unknown[]).slice(0, 1);
    const get = cache.get.bind(cache);
    cache.get = async (key) => {
      const answer = await get(key);
      return answer && { ...answer, data: JSON.stringify(one) };
    };
    const [short, ordinary] = await bothWays(server, rich.secret);
    assert.deepEqual(short.data, one);
    assert.deepEqual(short, ordinary);
    cache.get = get;
    assert.deepEqual((await server.ask(url, rich.secret)).body.data, first.body.data);
  });

  test('is fetched again when the answer has expired, and refunded if that fails', async () => {
    const { server, rich } = await knowing();
    server.clock.time += 30 * 24 * 3_600_000;
    server.pages = routeSource('', [{ pattern: '.', status: 503, body: '' }]);
    const before = (await server.ledger.balance(rich.id)).credits;
    const { status, body } = await server.ask(url, rich.secret);
    assert.deepEqual([status, body.error.code], [502, 'platform_unavailable']);
    const { rows } = await server.ledger.usage(rich.id, { limit: 1 });
    assert.deepEqual([rows[0]?.id, rows[0]?.status], [body.error.request_id, 'failed']);
    assert.equal((await server.ledger.balance(rich.id)).credits, before);
    assert.match(server.lines.join(''), new RegExp(`"request_id":"${body.error.request_id}".*unavailable`));
  });

  test('is bypassed if answers are inspected: by CORS headers, or the debug log', async () => {
    const origin = 'https://app.example';
    const { server, rich } = await knowing({ config: { corsOrigins: [origin], logLevel: 'debug' } });
    const logged = server.lines.length;
    const { headers, status } = await server.ask(url, rich.secret);
    assert.equal(status, 200);
    assert.match(String(headers['access-control-expose-headers']), /RateLimit/);
    assert.match(server.lines.slice(logged).join(''), /"answered"/);
  });

  test('never reveals its key: in answers, refusals, log, metrics or files', async () => {
    const { server, rich } = await knowing();
    const revokedKey = await server.accounts.createKey({ account: rich.id, name: 'gone', platforms: null });
    await server.accounts.revokeKey(revokedKey.key.id);
    const texts: string[] = [];
    const secrets = [rich.secret, revokedKey.secret, `${rich.secret}x`];
    for (const secret of secrets) {
      const { headers, text } = await server.ask(url, secret);
      texts.push(JSON.stringify(headers), text);
    }
    texts.push((await server.ask('/metrics')).text, ...server.lines);
    for (const name of readdirSync(server.home))
      texts.push(readFileSync(path.join(server.home, name), 'latin1'));
    assert.ok(texts.some((text) => text.includes('"refused"')));
    for (const secret of secrets) {
      assert.ok(!texts.some((text) => text.includes(secret.slice(8, 28))));
    }
  });

  test('of a sample needs no key, and does not reuse one', async () => {
    const { server } = await knowing();
    for (const _ of [1, 2]) {
      const { status, body } = await server.ask(`${url}&demo=true`);
      assert.deepEqual([status, body.meta.credits_charged], [200, 0]);
    }
    assert.equal((await server.ask(url)).status, 401);
  });
});

/** A server that listens and knows the request, and a client that makes it. */
async function listening() {
  const { server, rich } = await knowing();
  const base = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${rich.secret}` };
  return { server, rich, base, ask: (more = '') => fetch(`${base}${url}${more}`, { headers }) };
}

/** Begins to close a server, and resolves when it takes no more connections. */
async function beginToClose({ app }: TestServer) {
  const closed = app.close();
  while (app.server.listening) await setImmediate();
  return { closed };
}

describe('over a socket', () => {
  test('many pipelined requests are answered in order, including refused ones', async () => {
    const { server, rich, base } = await listening();
    const line = (secret: string, path = url) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
    const parts = [line(rich.secret), line('nonsense'), line(rich.secret), line(rich.secret, '/v1/account')];
    const socket = net.connect(Number(new URL(base).port), '127.0.0.1');
    socket.end(parts.join('').repeat(25));
    let text = '';
    for await (const chunk of socket) text += chunk;
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
    assert.deepEqual(statuses, Array.from({ length: 25 }, () => [200, 401, 200, 200]).flat());
    assert.equal((await server.ledger.balance(rich.id)).credits, 50_500 - 51 * endpoint.credits);
  });

  test('when the disk fails at last, nothing of the answer is sent, and the failure is logged and counted', async () => {
    const { server, ask } = await listening();
    server.ledger.pay = async () => {
      await setImmediate();
      throw new ExtractError('internal_error', 'The disk failed.');
    };
    const answer = await ask();
    assert.equal(answer.status, 500);
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'internal_error');
    assert.equal(server.lines.filter((line) => line.includes('"code":"internal_error"')).length, 1);
    assert.match((await server.ask('/metrics')).text, /extract_refusals_total\{.*code="internal_error"\} 1/);
  });

  test('a stopping server answers received requests, and closes the connection', async () => {
    for (const isKnown of [true, false]) {
      const { server, ask } = await listening();
      server.clock.time += 30 * 24 * 3_600_000;
      const { source, begun: requested, goOn } = pausedPages(server.pages);
      server.pages = source;
      const slow = ask(isKnown ? '' : '&fresh=true');
      await requested;
      const { closed } = await beginToClose(server);
      goOn();
      const answer = await slow;
      await answer.text();
      assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
      await closed;
    }
  });

  test('a server that stops during a disk write sends the finished answer, and closes the connection', async () => {
    const { server, ask } = await listening();
    const pay = server.ledger.pay.bind(server.ledger);
    let closed: Promise<void> | undefined;
    server.ledger.pay = async (charge) => {
      const balance = await pay(charge);
      ({ closed } = await beginToClose(server));
      return balance;
    };
    const answer = await ask();
    await answer.text();
    assert.equal(answer.status, 200);
    await closed;
  });
});
