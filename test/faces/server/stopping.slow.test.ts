import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openStore } from '../../../src/compose/open-store.js';
import { appOf, jobsHarness, makeJob } from '../../service/jobs/harness.js';
import { awakeTime } from '../../support/awake-time.js';
import { silentServer } from '../../support/loopback.js';
import { seededHome } from '../../support/seeded-home.js';
import { serveHome } from '../../support/serve-home.js';

const running = async () => serveHome((await seededHome()).home);

/** Connections, and what has ended each of them. */
async function connect(url: string, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () =>
    net
      .connect(Number(port), hostname)
      .on('error', () => undefined)
      .resume(),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

describe('a server that is stopped', () => {
  test('waits for no connection that never sent anything', async () => {
    const server = await running();
    const sockets = await connect(server.url, 50);
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    const began = awakeTime();
    await server.stop();
    assert.ok(awakeTime() - began < 3_000);
    await Promise.all(closed);
  });

  test('waits for no client that does not take its answer', async () => {
    const server = await running();
    const [socket] = await connect(server.url, 1);
    socket?.pause().write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = awakeTime();
    await server.stop();
    assert.ok(awakeTime() - began < 5_000);
    socket?.destroy();
  });

  test('answers those whose connections the kernel has taken and it has not', async (t) => {
    const server = await running();
    const { hostname, port } = new URL(server.url);
    const count = 40;
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(new URL('../../support/waiting-clients.ts', import.meta.url), {
      workerData: { host: hostname, port: Number(port), count, sent },
    });
    t.after(() => clients.terminate());
    const answers = once(clients, 'message');
    // The server does nothing until all have sent their request.
    while (Atomics.load(sent, 0) < count) Atomics.wait(sent, 0, Atomics.load(sent, 0), 1_000);
    await server.stop();
    const [texts] = (await answers) as [readonly string[]];
    assert.equal(texts.filter((text) => text.startsWith('HTTP/1.1 200 ')).length, count, texts.join('\n'));
  });

  test('waits a second for a request whose head is on its way, and no longer', async () => {
    const server = await running();
    const sockets = await connect(server.url, 5);
    for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHo');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = awakeTime();
    await server.stop();
    assert.ok(awakeTime() - began < 5_000);
    for (const socket of sockets) socket.destroy();
  });

  test('waits for no mail server that takes the operator’s mail and says nothing', async (t) => {
    const { home } = await seededHome();
    const store = await openStore(home, systemClock, 0);
    await store.health.raise({
      ...{ endpoint: 'maps/place', field: 'rating', since: systemClock.now(), usual: 1, share: 0 },
      ...{ answers: 100, ended: null, accepted: false },
    });
    await store.close();
    const { port, connected } = await silentServer(t);
    const lines: string[] = [];
    const server = await serveHome(home, {
      lines,
      hosting: {
        EXTRACT_SMTP_URL: `smtp://127.0.0.1:${port}`,
        EXTRACT_MAIL_FROM: 'Extract <no-reply@x.test>',
        EXTRACT_OPERATOR_EMAIL: 'ann@x.test',
      },
    });
    await connected;
    const began = awakeTime();
    await server.stop();
    assert.ok(awakeTime() - began < 8_000);
    assert.ok(!lines.join('').includes('without its stores'), lines.join(''));
  });

  for (const gzip of [false, true]) {
    test(`ends the stream of a follower that has got no line yet${gzip ? ', compressed' : ''}: it is told of no fault`, async (t) => {
      const all = await jobsHarness(t, {
        ask: (_endpoint, _params, _caller, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      });
      const customer = await all.customer();
      const id = await makeJob(all, customer, ['never']);
      const app = appOf(all);
      const [socket] = await connect(await app.listen({ port: 0, host: '127.0.0.1' }), 1);
      assert.ok(socket);
      let text = '';
      socket.setEncoding('latin1').on('data', (part: string) => {
        text += part;
      });
      const encoding = gzip ? 'Accept-Encoding: gzip\r\n' : '';
      socket.write(
        `GET /v1/jobs/${id}/results?wait=true HTTP/1.1\r\nHost: x\r\n${encoding}Authorization: Bearer ${customer.secret}\r\n\r\n`,
      );
      // The head is there before the first line.
      while (!text.includes('\r\n\r\n')) await new Promise((resolve) => setTimeout(resolve, 5));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await app.close();
      await closed;
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(text, /application\/x-ndjson/);
      assert.doesNotMatch(text, /internal_error/);
    });
  }
});
