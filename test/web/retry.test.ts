import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Outcome, retryDelay } from '../../lib/web/retry.js';
import { FakeClock } from '../support/fake-clock.js';
import { loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

const answer = (status: number, retryAfter: number | null = null): Outcome => ({ status, retryAfter });
const failure: Outcome = { isConnectionError: true };

test('the wait doubles, with a random part of up to half', () => {
  assert.equal(
    retryDelay('GET', 0, failure, () => 0),
    150,
  );
  assert.equal(
    retryDelay('GET', 1, failure, () => 0),
    300,
  );
  const most = retryDelay('GET', 1, answer(503), () => 0.999_999) ?? 0;
  assert.ok(most > 599 && most < 600);
});

test('there are only two retries', () => {
  assert.equal(
    retryDelay('GET', 2, failure, () => 0),
    null,
  );
});

test('a Retry-After of up to five seconds is waited for, a longer one is not retried', () => {
  const half = () => 0.5;
  assert.equal(retryDelay('GET', 0, answer(503, 5), half), 5000);
  assert.equal(retryDelay('GET', 0, answer(503, 6), half), null);
  assert.equal(retryDelay('GET', 0, answer(503, 0), half), 225);
});

for (const status of [200, 301, 400, 401, 403, 404, 429, 451, 501, 999]) {
  test(`${status} is never retried`, () => {
    assert.equal(
      retryDelay('GET', 0, answer(status), () => 0),
      null,
    );
  });
}

test('lasting failures and requests other than GET are not retried', () => {
  assert.equal(
    retryDelay('GET', 0, { isConnectionError: false }, () => 0),
    null,
  );
  assert.equal(
    retryDelay('POST', 0, failure, () => 0),
    null,
  );
  assert.equal(
    retryDelay('POST', 0, answer(503), () => 0),
    null,
  );
});

for (const status of [500, 502, 503, 504]) {
  test(`a GET that is answered ${status} is retried after a wait`, async (t) => {
    const clock = new FakeClock();
    const server = await loopback(t, (_request, response) => {
      if (server.requests.length < 3) response.statusCode = status;
      response.end('x');
    });
    const page = await clock.passing(network(t, { clock }).open(testSite()).fetch({ url: server.origin }));
    assert.equal(page.status, 200);
    assert.equal(server.requests.length, 3);
    assert.deepEqual(
      clock.slept.filter((ms) => ms < 10_000),
      [225, 450],
    );
  });
}

test('a server that stays busy is the answer after three tries', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (_request, response) => response.writeHead(503).end('busy'));
  const page = await clock.passing(network(t, { clock }).open(testSite()).fetch({ url: server.origin }));
  assert.equal(page.status, 503);
  assert.equal(page.text(), 'busy');
  assert.equal(server.requests.length, 3);
});

test('an overloaded site is waited for once per session, and then reported', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (request, response) => {
    const isBusy = request.url?.startsWith('/busy') === true || server.requests.length === 1;
    response.writeHead(isBusy ? 503 : 200).end(isBusy ? 'overload-protect triggered' : 'x');
  });
  const site = testSite({ overload: { words: 'overload-protect', waitMs: 9_000 } });
  const session = network(t, { clock }).open(site);
  const waits = () => clock.slept.filter((ms) => ms === 9_000).length;
  const first = await clock.passing(session.fetch({ url: server.origin }));
  assert.deepEqual([first.status, server.requests.length, waits()], [200, 2, 1]);
  const second = await clock.passing(session.fetch({ url: `${server.origin}/busy` }));
  assert.deepEqual([second.status, server.requests.length, waits()], [503, 3, 1]);
});

test('a connection that breaks is tried again, before and within the answer', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (request, response) => {
    if (server.requests.length === 1) request.socket.destroy();
    else if (server.requests.length === 2) {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => request.socket.destroy());
    } else response.end('whole');
  });
  const page = await clock.passing(network(t, { clock }).open(testSite()).fetch({ url: server.origin }));
  assert.equal(page.text(), 'whole');
  assert.equal(server.requests.length, 3);
});

test('a connection that keeps breaking is platform_unavailable, naming the host only', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (request) => request.socket.destroy());
  const fetched = network(t, { clock }).open(testSite()).fetch({ url: server.origin });
  await assert.rejects(clock.passing(fetched), {
    code: 'platform_unavailable',
    message: '127.0.0.1 could not be read: the connection was broken off. Try again in a moment.',
  });
  assert.equal(server.requests.length, 3);
});

test('a POST is sent once, whatever happens', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (request, response) => {
    if (request.url === '/broken') request.socket.destroy();
    else response.writeHead(503).end();
  });
  const session = network(t, { clock }).open(testSite());
  const page = await session.fetch({ url: `${server.origin}/busy`, method: 'POST', body: 'x' });
  assert.equal(page.status, 503);
  await assert.rejects(session.fetch({ url: `${server.origin}/broken`, method: 'POST', body: 'x' }), {
    code: 'platform_unavailable',
  });
  assert.deepEqual(server.requests, ['POST /busy', 'POST /broken']);
});

test('every try waits for the pace', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (_request, response) => response.writeHead(502).end());
  const session = network(t, { clock }).open(testSite({ surfaces: { page: { ms: 2000, concurrency: 1 } } }));
  const startedAt = clock.now();
  await clock.passing(session.fetch({ url: server.origin }));
  assert.equal(server.requests.length, 3);
  assert.equal(clock.now() - startedAt, 4000);
});
