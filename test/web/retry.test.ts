import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PageRequest, Site } from '../../lib/web/page-source.js';
import { type Outcome, retryDelay } from '../../lib/web/retry.js';
import { FakeClock } from '../support/fake-clock.js';
import { type Handler, loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

type LoopbackServer = Awaited<ReturnType<typeof loopback>>;
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

/** A server that answers so, and what a session of it does, on a clock that jumps over waits. */
async function served(
  t: TestContext,
  handler: (server: LoopbackServer) => Handler,
  over: Partial<Site> = {},
) {
  const clock = new FakeClock();
  const server: LoopbackServer = await loopback(t, (request, response) => handler(server)(request, response));
  const session = network(t, { clock }).open(testSite(over));
  const fetch = (path = '', more: Partial<PageRequest> = {}) =>
    clock.passing(session.fetch({ url: `${server.origin}${path}`, ...more }));
  return { clock, server, fetch };
}

for (const status of [500, 502, 503, 504]) {
  test(`a GET that is answered ${status} is retried after a wait`, async (t) => {
    const { clock, server, fetch } = await served(t, ({ requests }) => (_request, response) => {
      if (requests.length < 3) response.statusCode = status;
      response.end('x');
    });
    assert.deepEqual([(await fetch()).status, server.requests.length], [200, 3]);
    assert.deepEqual(
      clock.slept.filter((ms) => ms < 10_000),
      [225, 450],
    );
  });
}

test('a server that stays busy is the answer after three tries', async (t) => {
  const { server, fetch } = await served(
    t,
    () => (_request, response) => response.writeHead(503).end('busy'),
  );
  const page = await fetch();
  assert.deepEqual([page.status, page.text(), server.requests.length], [503, 'busy', 3]);
});

test('an overloaded site is waited for once per session, and then reported', async (t) => {
  const handler =
    ({ requests }: LoopbackServer): Handler =>
    (request, response) => {
      const isBusy = request.url?.startsWith('/busy') === true || requests.length === 1;
      response.writeHead(isBusy ? 503 : 200).end(isBusy ? 'overload-protect triggered' : 'x');
    };
  const overload = { words: 'overload-protect', waitMs: 9_000 };
  const { clock, server, fetch } = await served(t, handler, { overload });
  const waits = () => clock.slept.filter((ms) => ms === 9_000).length;
  assert.deepEqual([(await fetch()).status, server.requests.length, waits()], [200, 2, 1]);
  assert.deepEqual([(await fetch('/busy')).status, server.requests.length, waits()], [503, 3, 1]);
});

test('a connection that breaks is tried again, before and within the answer', async (t) => {
  const { server, fetch } = await served(t, ({ requests }) => (request, response) => {
    if (requests.length === 1) request.socket.destroy();
    else if (requests.length === 2) {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => request.socket.destroy());
    } else response.end('whole');
  });
  assert.deepEqual([(await fetch()).text(), server.requests.length], ['whole', 3]);
});

test('a connection that keeps breaking is platform_unavailable, naming the host only', async (t) => {
  const { server, fetch } = await served(t, () => (request) => request.socket.destroy());
  await assert.rejects(fetch(), {
    code: 'platform_unavailable',
    message: '127.0.0.1 could not be read: the connection was broken off. Try again in a moment.',
  });
  assert.equal(server.requests.length, 3);
});

test('a POST is sent once, whatever happens', async (t) => {
  const { server, fetch } = await served(t, () => (request, response) => {
    if (request.url === '/broken') request.socket.destroy();
    else response.writeHead(503).end();
  });
  const post = { method: 'POST', body: 'x' } as const;
  assert.equal((await fetch('/busy', post)).status, 503);
  await assert.rejects(fetch('/broken', post), { code: 'platform_unavailable' });
  assert.deepEqual(server.requests, ['POST /busy', 'POST /broken']);
});

test('every try waits for the pace', async (t) => {
  const surfaces = { page: { ms: 2000, concurrency: 1 } };
  const { clock, server, fetch } = await served(
    t,
    () => (_request, response) => response.writeHead(502).end(),
    { surfaces },
  );
  const startedAt = clock.now();
  await fetch();
  assert.deepEqual([server.requests.length, clock.now() - startedAt], [3, 4000]);
});
