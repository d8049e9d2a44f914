import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PageRequest, Site } from '../../lib/web/page-source.js';
import { type Outcome, retryDelay } from '../../lib/web/retry.js';
import type { Handler } from '../support/loopback.js';
import { served } from './served.js';

const answer = (status: number, retryAfter: number | null = null): Outcome => ({ status, retryAfter });
const failure: Outcome = { isConnectionError: true };

const delay = (tries: number, outcome: Outcome, random = 0, method: 'GET' | 'POST' = 'GET') =>
  retryDelay(method, tries, outcome, () => random);

for (const [name, ms, expected] of [
  ['the first wait', delay(0, failure), 150],
  ['the second wait doubles', delay(1, failure), 300],
  ['a random part of up to half is added', Math.ceil(delay(1, answer(503), 0.999_999) ?? 0), 600],
  ['there are only two retries', delay(2, failure), null],
  ['a Retry-After of up to five seconds is waited for', delay(0, answer(503, 5), 0.5), 5000],
  ['a longer Retry-After is not retried', delay(0, answer(503, 6), 0.5), null],
  ['a Retry-After of 0 is none', delay(0, answer(503, 0), 0.5), 225],
  ['a lasting failure is not retried', delay(0, { isConnectionError: false }), null],
  ['a POST is not retried after a failure', delay(0, failure, 0, 'POST'), null],
  ['a POST is not retried after 503', delay(0, answer(503), 0, 'POST'), null],
  ...[200, 301, 400, 401, 403, 404, 429, 451, 501, 999].map(
    (status) => [`${status} is never retried`, delay(0, answer(status)), null] as const,
  ),
] as const) {
  test(`${name}: ${expected} ms`, () => assert.equal(ms, expected));
}

/** Serves by the number of the request, and fetches on a clock that skips waits. */
async function counting(
  t: TestContext,
  handler: (count: number, ...exchange: Parameters<Handler>) => void,
  site: Partial<Site> = {},
) {
  let count = 0;
  const { fetch, ...more } = await served(t, (...exchange) => handler(++count, ...exchange), { site });
  return {
    ...more,
    fetch: (path = '/', request: Partial<PageRequest> = {}) => more.clock.passing(fetch(path, request)),
  };
}

for (const status of [500, 502, 503, 504]) {
  test(`a GET that is answered ${status} is retried after a wait`, async (t) => {
    const { clock, server, fetch } = await counting(t, (count, _request, response) => {
      response.writeHead(count < 3 ? status : 200).end('x');
    });
    assert.deepEqual([(await fetch()).status, server.requests.length], [200, 3]);
    assert.deepEqual(
      clock.slept.filter((ms) => ms < 10_000),
      [225, 450],
    );
  });
}

test('a server that stays busy is the answer after three tries, each of which waits for the pace', async (t) => {
  const surfaces = { page: { ms: 2000, concurrency: 1 } };
  const busy = (_count: number, ...[, response]: Parameters<Handler>) => response.writeHead(503).end('busy');
  const { clock, server, fetch } = await counting(t, busy, { surfaces });
  const startedAt = clock.now();
  const page = await fetch();
  assert.deepEqual([page.status, page.text(), server.requests.length], [503, 'busy', 3]);
  assert.equal(clock.now() - startedAt, 4000);
});

test('an overloaded site is waited for once per session, and then reported', async (t) => {
  const overload = { words: 'overload-protect', waitMs: 9_000 };
  const overloaded = (count: number, ...[request, response]: Parameters<Handler>) => {
    const isBusy = request.url?.startsWith('/busy') === true || count === 1;
    response.writeHead(isBusy ? 503 : 200).end(isBusy ? 'overload-protect triggered' : 'x');
  };
  const { clock, server, fetch } = await counting(t, overloaded, { overload });
  const waits = () => clock.slept.filter((ms) => ms === 9_000).length;
  assert.deepEqual([(await fetch()).status, server.requests.length, waits()], [200, 2, 1]);
  assert.deepEqual([(await fetch('/busy')).status, server.requests.length, waits()], [503, 3, 1]);
});

test('a connection that breaks is tried again, before and within the answer', async (t) => {
  const { server, fetch } = await counting(t, (count, request, response) => {
    if (count === 1) request.socket.destroy();
    else if (count === 2) {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => request.socket.destroy());
    } else response.end('whole');
  });
  assert.deepEqual([(await fetch()).text(), server.requests.length], ['whole', 3]);
});

test('a connection that keeps breaking is platform_unavailable, naming the host only', async (t) => {
  const { server, fetch } = await counting(t, (_, request) => request.socket.destroy());
  await assert.rejects(fetch(), {
    code: 'platform_unavailable',
    message: '127.0.0.1 could not be read: the connection was broken off. Try again in a moment.',
  });
  assert.equal(server.requests.length, 3);
});

test('a POST is sent once, whatever happens', async (t) => {
  const { server, fetch } = await counting(t, (_, request, response) => {
    if (request.url === '/broken') request.socket.destroy();
    else response.writeHead(503).end();
  });
  const post = { method: 'POST', body: 'x' } as const;
  assert.equal((await fetch('/busy', post)).status, 503);
  await assert.rejects(fetch('/broken', post), { code: 'platform_unavailable' });
  assert.deepEqual(server.requests, ['POST /busy', 'POST /broken']);
});
