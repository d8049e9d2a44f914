import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '../support/fake-clock.js';
import { freePort } from '../support/free-port.js';
import { loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

const short = { connectMs: 50, headersMs: 50, bodyMs: 50, totalMs: 60_000 };
const long = { connectMs: 60_000, headersMs: 60_000, bodyMs: 60_000, totalMs: 30_000 };

/** A promise, and what resolves it. */
function signal(): { readonly here: Promise<void>; readonly arrived: () => void } {
  let arrived = () => {};
  const here = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  return { here, arrived };
}

/** A TLS port that accepts and never says a word. */
async function mutePort(t: TestContext): Promise<number> {
  const server = net.createServer((socket) => void t.after(() => socket.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a handshake that does not end is platform_timeout, requested once', async (t) => {
  const port = await mutePort(t);
  const session = network(t, { timeouts: short }).open(testSite());
  await assert.rejects(session.fetch({ url: `https://localhost:${port}/` }), {
    code: 'platform_timeout',
    message: 'localhost could not be read: no connection came about in time. Try again in a moment.',
  });
});

for (const [what, reason, begins] of [
  ['headers that do not come', 'it took the request and did not respond in time', false],
  ['a body that stalls', 'it stopped in the middle of its answer', true],
] as const) {
  test(`${what}: platform_timeout, and the connection is closed`, async (t) => {
    const server = await loopback(t, (_request, response) => {
      if (begins) response.writeHead(200, { 'content-length': 100 }).write('beginning');
    });
    const session = network(t, { timeouts: short }).open(testSite());
    const message = `127.0.0.1 could not be read: ${reason}. Try again in a moment.`;
    await assert.rejects(session.fetch({ url: server.origin }), { code: 'platform_timeout', message });
    await server.allClosed();
    assert.equal(server.requests.length, 1);
  });
}

for (const stage of ['before its headers', 'in its body']) {
  test(`a request that takes too long in all is platform_timeout: ${stage}`, async (t) => {
    const clock = new FakeClock();
    const { here, arrived } = signal();
    const server = await loopback(t, (_request, response) => {
      if (stage === 'in its body') response.writeHead(200).write('drip');
      arrived();
    });
    const fetched = network(t, { clock, timeouts: long }).open(testSite()).fetch({ url: server.origin });
    await here;
    const failed = assert.rejects(fetched, {
      code: 'platform_timeout',
      message: '127.0.0.1 could not be read: the answer took too long. Try again in a moment.',
    });
    await clock.advance(29_999);
    assert.equal(clock.sleeping, 1);
    await clock.advance(1);
    await failed;
    await server.allClosed();
    assert.equal(server.requests.length, 1);
    assert.equal(clock.sleeping, 0);
  });
}

test('waiting for one’s turn is not part of the time that a request may take', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (_request, response) => response.end('x'));
  const site = testSite({ surfaces: { page: { ms: 50_000, concurrency: 1 } } });
  const session = network(t, { clock, timeouts: long }).open(site);
  await session.fetch({ url: server.origin });
  await clock.passing(session.fetch({ url: server.origin }), 60_000);
  assert.equal(server.requests.length, 2);
});

test('a host that refuses is platform_unavailable after three tries, without address or port', async (t) => {
  const clock = new FakeClock();
  const port = await freePort();
  const fetched = network(t, { clock })
    .open(testSite())
    .fetch({ url: `http://localhost:${port}/` });
  await assert.rejects(clock.passing(fetched), (error: Error & { code: string; cause: unknown }) => {
    assert.equal(error.code, 'platform_unavailable');
    assert.equal(
      error.message,
      'localhost could not be read: the connection was refused. Try again in a moment.',
    );
    assert.ok(error.cause instanceof Error);
    return true;
  });
  assert.equal(clock.slept.filter((ms) => ms < 10_000).length, 2);
});

const reason = new Error('the caller gave up');

/** Aborts by the caller's signal, or by the session's end: both must leave nothing behind. */
for (const way of ['the signal is aborted', 'the session ends']) {
  const begin = (t: TestContext, clock: FakeClock, pace = { ms: 0, concurrency: 1 }) => {
    const controller = new AbortController();
    const source = network(t, { clock });
    const session = source.open(testSite({ surfaces: { page: pace } }), controller.signal);
    const stop = () => (way === 'the session ends' ? session.end() : controller.abort(reason));
    const expected = way === 'the session ends' ? { name: 'AbortError' } : reason;
    return { source, session, stop, expected };
  };

  test(`${way} before a request: nothing is sent`, async (t) => {
    const server = await loopback(t, (_request, response) => response.end());
    const { session, stop, expected } = begin(t, new FakeClock());
    stop();
    await assert.rejects(session.fetch({ url: server.origin }), expected);
    assert.equal(server.sockets.size, 0);
  });

  test(`${way} while a request waits for its turn: it is never sent`, async (t) => {
    const clock = new FakeClock();
    const server = await loopback(t, (_request, response) => response.end());
    const { session, stop, expected } = begin(t, clock, { ms: 1000, concurrency: 1 });
    await session.fetch({ url: server.origin });
    const waiting = session.fetch({ url: server.origin });
    await clock.untilSleeping(1);
    stop();
    await assert.rejects(waiting, expected);
    assert.equal(clock.sleeping, 0);
    assert.equal(server.requests.length, 1);
  });

  test(`${way} during the handshake: the request ends immediately`, async (t) => {
    const port = await mutePort(t);
    const { session, stop, expected } = begin(t, new FakeClock());
    const fetched = session.fetch({ url: `https://localhost:${port}/` });
    await setImmediate();
    stop();
    await assert.rejects(fetched, expected);
  });

  for (const stage of ['headers', 'body', 'compressed body']) {
    test(`${way} while the ${stage} is awaited: the connection is closed`, async (t) => {
      const clock = new FakeClock();
      const { here, arrived } = signal();
      const server = await loopback(t, (_request, response) => {
        if (stage !== 'headers') {
          if (stage === 'compressed body') response.setHeader('content-encoding', 'gzip');
          response.writeHead(200).write(Buffer.from([0x1f, 0x8b, 8, 0]), arrived);
        } else arrived();
      });
      const { session, stop, expected } = begin(t, clock);
      const fetched = session.fetch({ url: server.origin });
      await here;
      stop();
      await assert.rejects(fetched, expected);
      await server.allClosed();
      assert.equal(server.requests.length, 1);
      assert.equal(clock.sleeping, 0);
    });
  }

  test(`${way} between two attempts: there is no second one`, async (t) => {
    const clock = new FakeClock();
    const server = await loopback(t, (_request, response) => response.writeHead(503).end());
    const { session, stop, expected } = begin(t, clock);
    const fetched = session.fetch({ url: server.origin });
    while (!clock.slept.includes(225)) await setImmediate();
    stop();
    await assert.rejects(fetched, expected);
    assert.equal(clock.sleeping, 0);
    assert.equal(server.requests.length, 1);
  });

  test(`${way}: the other sessions continue`, async (t) => {
    const server = await loopback(t, (request, response) => {
      if (request.url === '/answer') response.end('x');
    });
    const { source, session, stop } = begin(t, new FakeClock());
    const other = source.open(testSite());
    const stuck = assert.rejects(session.fetch({ url: `${server.origin}/stuck` }));
    const answered = other.fetch({ url: `${server.origin}/answer` });
    while (server.requests.length === 0) await setImmediate();
    stop();
    await stuck;
    assert.equal((await answered).text(), 'x');
  });
}

test('a signal that lives on holds no reference to ended sessions', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'));
  const source = network(t);
  const { signal } = new AbortController();
  for (let index = 0; index < 20; index += 1) {
    const session = source.open(testSite(), signal);
    await session.fetch({ url: server.origin });
    session.end();
  }
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('closing the source ends what is on its way', async (t) => {
  const server = await loopback(t, () => {});
  const source = network(t);
  const fetched = source.open(testSite()).fetch({ url: server.origin });
  while (server.requests.length === 0) await setImmediate();
  await Promise.all([
    assert.rejects(fetched, {
      code: 'platform_unavailable',
      message: '127.0.0.1 could not be read: the connections were closed. Try again in a moment.',
    }),
    source.close(),
  ]);
  await server.allClosed();
});
