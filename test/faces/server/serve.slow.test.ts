import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { openDirectory, openStore } from '../../../src/compose/open-store.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { refusal } from '../../ledger/ledger-port.js';
import { appOf, jobsHarness, makeJob } from '../../service/jobs/harness.js';
import { awakeTime } from '../../support/awake-time.js';
import { silentServer } from '../../support/loopback.js';
import { seededHome } from '../../support/seeded-home.js';
import { serveHome } from '../../support/serve-home.js';
import { testServer } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: { out: string; err: string };
  readonly ended: Promise<number | null>;
}

/** Starts `extract serve` in a separate process, whose log nobody reads where `isRead` is false. */
async function start(
  home: string,
  env: Readonly<Record<string, string>> = {},
  isRead = true,
): Promise<Running> {
  const child = spawn(process.execPath, [path.join(packageRoot(), 'bin', 'extract.js'), 'serve'], {
    env: { ...process.env, EXTRACT_HOME: home, EXTRACT_PORT: '0', EXTRACT_RATE_LIMIT: '999999999', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const output = { out: '', err: '' };
  const ended = once(child, isRead ? 'close' : 'exit').then(([status]) => status as number | null);
  if (isRead)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
    });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.err += text;
      const [, address] = /Listening on (\S+)\n/.exec(output.err) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then((status) => reject(new Error(`it ended with ${status}: ${output.err}`)));
  });
  return { child, url, output, ended };
}

type RefusalBody = { readonly error: Readonly<Record<'code' | 'docs' | 'request_id', string>> };

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('extract serve as a process', () => {
  test('prints two working first steps if there are no accounts', async () => {
    const running = await start(path.join(folder, 'empty'));
    await until(() => running.output.err.split('\n').length > 4);
    assert.equal(running.output.out, '', 'the log says it a second time');
    const steps = [...running.output.err.matchAll(/extract (server (accounts|keys) create .*)$/gm)];
    assert.deepEqual(
      steps.map(([, , what]) => what),
      ['accounts', 'keys'],
    );
    const { extract } = await import('../../support/cli.js');
    for (const [, args = ''] of steps) assert.equal((await extract(args.split(' '))).status, 0, args);
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200);
    const { docs } = ((await (await fetch(`${running.url}/v1/account`)).json()) as RefusalBody).error;
    assert.equal(docs, `${running.url.replace('127.0.0.1', 'localhost')}/docs/errors/missing_api_key`);
    assert.equal((await fetch(docs)).status, 200);
    running.child.kill('SIGINT');
    assert.equal(await running.ended, 0);
  });

  test('prints a link to the admin page that works once, under the address that the world knows', async () => {
    const home = path.join(folder, 'admin');
    const running = await start(home, { EXTRACT_DOCS_URL: 'https://extract.example.com/' });
    await until(() => running.output.err.includes('Admin'));
    const link = /^Admin page, once: (\S+)$/m.exec(running.output.err)?.[1] ?? '';
    const [address, token = ''] = link.split('?token=');
    assert.equal(address, 'https://extract.example.com/admin/sign-in');
    assert.ok(!running.output.out.includes(token));
    const { ledger, adminSignIn: admin } = await openDirectory(home, systemClock, 0);
    assert.ok(await admin.confirm(token));
    assert.equal(await admin.confirm(token), null);
    await ledger.close();
    running.child.kill('SIGTERM');
    assert.equal(await running.ended, 0);
  });

  test('a key that another process revokes fails at the next request', async () => {
    const seeded = await seededHome();
    const running = await start(seeded.home);
    const ask = () =>
      fetch(running.url + seeded.kept, { headers: { authorization: `Bearer ${seeded.secret}` } });
    assert.equal((await ask()).status, 200);
    assert.doesNotMatch(running.output.err, /Nobody/);
    const { ledger, accounts } = await openDirectory(seeded.home, systemClock, 0);
    await accounts.revokeKey(seeded.keyId);
    const answer = await ask();
    assert.equal(((await answer.json()) as RefusalBody).error.code, 'revoked_api_key');
    await ledger.close();
    running.child.kill('SIGTERM');
    assert.equal(await running.ended, 0);
    for (const text of Object.values(running.output)) assert.ok(!text.includes(seeded.secret.slice(8, 28)));
  });
});

describe('a server whose log is not read', () => {
  test('answers, keeps a bounded part of it, and stops', async () => {
    const { home } = await seededHome();
    const { child, url, ended } = await start(home, {}, false);
    // More than a pipe takes.
    for (let round = 0; round < 30; round += 1) {
      const refusals = Array.from({ length: 50 }, () => fetch(`${url}/v1/${'x'.repeat(150)}`));
      for (const one of await Promise.all(refusals)) {
        assert.equal(one.status, 404);
        await one.arrayBuffer();
      }
    }
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  });
});

test('a slow start is not aborted', async () => {
  // Fastify ends one whose routes take ten seconds: on a machine that was asleep meanwhile, say.
  const { app } = await testServer();
  assert.equal(app.initialConfig.pluginTimeout, 0);
});

describe('a server whose cache file cannot be used', () => {
  test('reports it in its log, its metrics and its health, and continues', async (t) => {
    const seeded = await seededHome();
    const file = path.join(seeded.home, 'answers.db');
    rmSync(file);
    mkdirSync(file);
    const proxy = await silentServer(t);
    const lines: string[] = [];
    const running = await serveHome(seeded.home, {
      ...{ config: { httpsProxy: proxy.url, noProxy: undefined }, lines, drainMs: 50 },
    });
    const state = async () => {
      const health = await fetch(`${running.url}/healthz`);
      const metrics = await (await fetch(`${running.url}/metrics`)).text();
      return [health.status, await health.json(), /^extract_cache_usable (\d)$/m.exec(metrics)?.[1]];
    };
    assert.deepEqual(await state(), [200, { status: 'ok', cache: 'ok' }, '1']);
    const headers = { authorization: `Bearer ${seeded.secret}` };
    const asking = [seeded.kept, seeded.missing].map((url) => fetch(running.url + url, { headers }));
    await proxy.connected;
    assert.deepEqual(await state(), [200, { status: 'ok', cache: 'degraded' }, '0']);
    await running.stop();
    assert.deepEqual(
      (await Promise.all(asking)).map(({ status }) => status),
      [502, 502],
    );
    const [warning, ...rest] = lines.map((line) => JSON.parse(line)).filter(({ err }) => err !== undefined);
    assert.deepEqual([warning.level, rest], [40, []]);
    assert.match(warning.msg, /cannot be opened for writing/);
  });
});

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

  test('lets calls in progress finish for a while, then aborts them: refused, refunded, released', async (t) => {
    const seeded = await seededHome();
    const proxy = await silentServer(t);
    const running = await serveHome(seeded.home, {
      ...{ config: { httpsProxy: proxy.url, noProxy: undefined }, drainMs: 200 },
    });
    const asking = fetch(running.url + seeded.missing, {
      headers: { authorization: `Bearer ${seeded.secret}` },
    });
    await proxy.connected;
    const from = awakeTime();
    const stopping = running.stop();
    const answer = await asking;
    const { error } = (await answer.json()) as RefusalBody;
    assert.deepEqual([answer.status, error.code], [502, 'platform_timeout']);
    await stopping;
    assert.ok(awakeTime() - from < 5_000);
    const file = path.join(seeded.home, 'ledger.db');
    assertSound(file);
    const row = inspect(file, (db) =>
      db.prepare('SELECT status, credits_refunded FROM usage WHERE id = ?').get(error.request_id),
    );
    assert.deepEqual(row, { status: 'failed', credits_refunded: 3 });
    await assert.rejects(fetch(`${running.url}/healthz`));
  });

  test('was configured with an address that it cannot have: it reports it, and leaves nothing open', async () => {
    const blocker = net.createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const home = path.join(folder, 'taken');
    const serving = async (server: { port?: number; host?: string }) => serveHome(home, { server });
    for (const [address, words] of [
      [{ port }, /another program uses the port/],
      [{ host: '192.0.2.1' }, /192\.0\.2\.1, port 0: this machine does not have the address/],
      [{ port: 70_000 }, /Invalid port 70000/],
    ] as const)
      await assert.rejects(serving(address), refusal('invalid_parameter', words));
    blocker.close();
  });
});
