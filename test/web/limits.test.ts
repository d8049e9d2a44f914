import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '../support/fake-clock.js';
import { freePort } from '../support/free-port.js';
import type { Handler } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';
import { served } from './served.js';

const short = { connectMs: 50, headersMs: 50, bodyMs: 50, totalMs: 60_000 };
const long = { connectMs: 60_000, headersMs: 60_000, bodyMs: 60_000, totalMs: 30_000 };
const paced = (ms: number) => ({ surfaces: { page: { ms, concurrency: 1 } } });
const unread = (host: string, reason: string) => ({
  message: `${host} could not be read: ${reason}. Try again in a moment.`,
});

/** A promise, and the function that resolves it. */
function signal() {
  let arrived = () => {};
  const here = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  return { here, arrived };
}

/** A TLS port that accepts connections and never answers. */
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
    ...unread('localhost', 'the connection timed out'),
  });
});

for (const [what, reason, begins] of [
  ['headers that do not come', 'it accepted the request but did not respond in time', false],
  ['a body that stalls', 'it stopped in the middle of its answer', true],
] as const) {
  test(`${what}: platform_timeout, and the connection is closed`, async (t) => {
    const stall: Handler = (_request, response) => {
      if (begins) response.writeHead(200, { 'content-length': 100 }).write('beginning');
    };
    const { server, fetch } = await served(t, stall, { timeouts: short });
    await assert.rejects(fetch(), { code: 'platform_timeout', ...unread('127.0.0.1', reason) });
    await server.allClosed();
    assert.equal(server.requests.length, 1);
  });
}

for (const stage of ['before its headers', 'in its body']) {
  test(`a request that takes too long in all is platform_timeout: ${stage}`, async (t) => {
    const { here, arrived } = signal();
    const drip: Handler = (_request, response) => {
      if (stage === 'in its body') response.writeHead(200).write('drip');
      arrived();
    };
    const { clock, server, fetch } = await served(t, drip, { timeouts: long });
    const failed = assert.rejects(fetch(), {
      code: 'platform_timeout',
      ...unread('127.0.0.1', 'the answer took too long'),
    });
    await here;
    await clock.advance(29_999);
    assert.equal(clock.sleeping, 1);
    await clock.advance(1);
    await failed;
    await server.allClosed();
    assert.deepEqual([server.requests.length, clock.sleeping], [1, 0]);
  });
}

test('the wait for the pace does not count towards the time of a request', async (t) => {
  const { clock, server, fetch } = await served(t, undefined, { timeouts: long, site: paced(50_000) });
  await fetch();
  await clock.passing(fetch(), 60_000);
  assert.equal(server.requests.length, 2);
});

test('a host that refuses is platform_unavailable after three tries, without address or port', async (t) => {
  const clock = new FakeClock();
  const port = await freePort();
  const session = network(t, { clock }).open(testSite());
  const fetched = clock.passing(session.fetch({ url: `http://localhost:${port}/` }));
  await assert.rejects(fetched, (error: Error & { code: string }) => {
    assert.equal(error.code, 'platform_unavailable');
    assert.equal(error.message, unread('localhost', 'the connection was refused').message);
    return error.cause instanceof Error;
  });
  assert.equal(clock.slept.filter((ms) => ms < 10_000).length, 2);
});

const reason = new Error('the caller gave up');

for (const way of ['the signal is aborted', 'the session ends']) {
  const begin = async (t: TestContext, handler?: Handler, ms = 0) => {
    const controller = new AbortController();
    const started = await served(t, handler, { site: paced(ms), signal: controller.signal });
    const isEnd = way === 'the session ends';
    const stop = () => (isEnd ? started.session.end() : controller.abort(reason));
    /** Stops, and asserts that the request ends with that, and leaves no timer. */
    const stops = async (fetched: Promise<unknown>) => {
      stop();
      await assert.rejects(fetched, isEnd ? { name: 'AbortError' } : reason);
      assert.equal(started.clock.sleeping, 0);
    };
    return { ...started, stop, stops };
  };

  test(`${way} before a request: nothing is sent`, async (t) => {
    const { server, fetch, stop, stops } = await begin(t);
    stop();
    await stops(fetch());
    assert.equal(server.sockets.size, 0);
  });

  test(`${way} while a request waits for the pace: it is never sent`, async (t) => {
    const { clock, server, fetch, stops } = await begin(t, undefined, 1000);
    await fetch();
    const waiting = fetch();
    await clock.untilSleeping(1);
    await stops(waiting);
    assert.equal(server.requests.length, 1);
  });

  test(`${way} during the handshake: the request ends immediately`, async (t) => {
    const port = await mutePort(t);
    const { session, stops } = await begin(t);
    const fetched = session.fetch({ url: `https://localhost:${port}/` });
    await setImmediate();
    await stops(fetched);
  });

  for (const stage of ['headers', 'body', 'compressed body']) {
    test(`${way} before the ${stage} arrives: the connection is closed`, async (t) => {
      const { here, arrived } = signal();
      const { server, fetch, stops } = await begin(t, (_request, response) => {
        if (stage === 'headers') return arrived();
        if (stage === 'compressed body') response.setHeader('content-encoding', 'gzip');
        response.writeHead(200).write(Buffer.from([0x1f, 0x8b, 8, 0]), arrived);
      });
      const fetched = fetch();
      await here;
      await stops(fetched);
      await server.allClosed();
      assert.equal(server.requests.length, 1);
    });
  }

  test(`${way} between two attempts: there is no second one`, async (t) => {
    const { clock, server, fetch, stops } = await begin(t, (_, response) => response.writeHead(503).end());
    const fetched = fetch();
    while (!clock.slept.includes(225)) await setImmediate();
    await stops(fetched);
    assert.equal(server.requests.length, 1);
  });

  test(`${way}: the other sessions continue`, async (t) => {
    const { server, source, fetch, stop } = await begin(t, (request, response) => {
      if (request.url === '/answer') response.end('x');
    });
    const stuck = assert.rejects(fetch('/stuck'));
    const answered = source.open(testSite()).fetch({ url: `${server.origin}/answer` });
    while (server.requests.length === 0) await setImmediate();
    stop();
    await stuck;
    assert.equal((await answered).text(), 'x');
  });
}

test('a signal that outlives its sessions holds no reference to them', async (t) => {
  const { server, source } = await served(t);
  const { signal } = new AbortController();
  for (let index = 0; index < 20; index += 1) {
    const session = source.open(testSite(), signal);
    await session.fetch({ url: server.origin });
    session.end();
  }
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('closing the source ends the requests under way', async (t) => {
  const { server, source, fetch } = await served(t, () => {});
  const failed = assert.rejects(fetch(), {
    code: 'platform_unavailable',
    ...unread('127.0.0.1', 'the connections were closed'),
  });
  while (server.requests.length === 0) await setImmediate();
  await source.close();
  await failed;
  await server.allClosed();
});
