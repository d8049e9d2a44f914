import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { readConfig } from '../../lib/config.js';
import { endpoints } from '../../lib/endpoints.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { openServices } from '../../lib/services.js';
import { openDirectory } from '../../src/compose/open-store.js';
import { openDirectoryJobs } from '../../src/service/jobs/sqlite/open-directory-jobs.js';
import { freePort } from '../support/free-port.js';
import { fromSource } from '../support/from-source.js';
import { compare, report } from './compare.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const count = 10_000;

function installed(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Jobs with an empty handler: gives what makes one of 10,000 inputs and waits for its end. */
async function ours() {
  const config = readConfig({ home: path.join(folder, 'home'), concurrency: { shortvideo: 21 } }, {});
  const { ledger, accounts, jobStores } = await openDirectory(config.home, systemClock, 500);
  const { id: account } = await accounts.create({ email: 'bench@example.com', verified: true, credits: 1 });
  await ledger.grant({
    id: 'pack_bench',
    account: account,
    credits: 900_000_000,
    kind: 'pack',
    at: new Date().toISOString(),
  });
  const services = openServices(config, { ledger });
  const meta = {
    ...{ request_id: '', credits_charged: 3, credits_remaining: 0, cached: false },
    ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
  };
  const jobs = openDirectoryJobs({
    ...{ services, config, endpoints, webhookAllow: [] },
    stores: jobStores,
    ask: async () => ({ source: 'platform', json: '{}', meta }),
    onError: (_, cause) => console.error(cause),
  });
  jobs.start();
  const inputs = Array.from({ length: count }, (_, at) => `{"username":"account${at}"}`);
  const job = { account, key: undefined, endpoint: 'shortvideo/profile', credits: 3, inputs };
  return {
    async run() {
      const wanted = { ...job, webhookUrl: undefined, idempotency: undefined };
      const { id } = await jobs.store.create(wanted, () => '');
      jobs.wake();
      while ((await jobs.store.find(account, id)).status !== 'done') await setImmediate();
    },
    async close() {
      await jobs.stop();
      await services.close();
    },
  };
}

/** A queue server of the bench's own, writing its log once a second, and a queue on it. */
async function theirs() {
  const socket = path.join(folder, 'redis.sock');
  const options = [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--save',
    '',
  ];
  const server = spawn('redis-server', [...options, '--loglevel', 'warning'], { stdio: 'ignore' });
  process.once('exit', () => server.kill());
  await setTimeout(500);
  const { Queue, Worker } = await import('bullmq');
  const connection = { path: socket, maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection });
  let left = 0;
  let done: () => void = () => undefined;
  const worker = new Worker('bench', async () => ({}), { connection, concurrency: 64 });
  worker.on('completed', () => {
    left -= 1;
    if (left === 0) done();
  });
  await worker.waitUntilReady();
  const options2 = { removeOnComplete: true };
  const inputs = Array.from({ length: count }, (_, at) => ({
    name: 'profile',
    data: { username: `account${at}` },
    opts: options2,
  }));
  return {
    async run() {
      left = count;
      const all = new Promise<void>((resolve) => {
        done = resolve;
      });
      await queue.addBulk(inputs);
      await all;
    },
    async close() {
      await worker.close();
      await queue.close();
      server.kill();
    },
  };
}

async function againstQueue(): Promise<void> {
  const what = `a job of ${count} inputs accepted and done, against BullMQ on Redis (log written once a second)`;
  if (!installed('redis-server')) {
    console.log(`skipped  ${what}: redis-server is not installed`);
    return;
  }
  const [mine, other] = [await ours(), await theirs()];
  const ratio = await compare(mine.run, other.run, { rounds: 7, repeats: 1, warmUp: 1 });
  await Promise.all([mine.close(), other.close()]);
  report(what, ratio, { atMost: 0.5 });
}

interface Served {
  readonly home: string;
  readonly port: number;
  readonly secret: string;
  readonly path: string;
  readonly file: string;
}

/** Downloads over a bare socket, so that as little as can be of the time is the client's. */
async function download(port: number, url: string, more: string): Promise<number> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`GET ${url} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${more}\r\n`);
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  return bytes;
}

async function startNginx(file: string): Promise<{ readonly port: number; readonly process: ChildProcess }> {
  const port = await freePort();
  const config = path.join(folder, 'nginx.conf');
  chmodSync(folder, 0o755);
  writeFileSync(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1; user root;
     events {} http { access_log off; sendfile on; default_type application/x-ndjson;
     client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
     uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
     server { listen 127.0.0.1:${port}; location = /results { alias ${file}; } } }\n`,
  );
  return {
    port,
    process: spawn('nginx', ['-c', config, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  };
}

async function againstNginx(): Promise<void> {
  const what = 'the download of a result of 10,000 lines, against nginx with sendfile';
  if (!installed('nginx')) {
    console.log(`skipped  ${what}: nginx is not installed`);
    return;
  }
  const program = path.join(packageRoot(), 'test', 'bench', 'jobs-program.ts');
  const child = fork(program, [], { execArgv: [...fromSource] });
  process.once('exit', () => child.kill());
  const [served] = (await once(child, 'message')) as [Served];
  const nginx = await startNginx(served.file);
  process.once('exit', () => nginx.process.kill());
  await setTimeout(500);
  const key = `authorization: Bearer ${served.secret}\r\n`;
  const [mine, other] = [
    await download(served.port, served.path, key),
    await download(nginx.port, '/results', ''),
  ];
  if (Math.abs(mine - other) > 2000) throw new Error(`${mine} and ${other} bytes`);
  const ratio = await compare(
    () => download(served.port, served.path, key),
    () => download(nginx.port, '/results', ''),
    { rounds: 15, repeats: 10 },
  );
  nginx.process.kill();
  child.disconnect();
  rmSync(served.home, { recursive: true, force: true });
  report(`${what} (${(mine / 1e6).toFixed(1)} MB)`, ratio, { atMost: 1 / 0.6 });
}

await againstQueue();
await againstNginx();
rmSync(folder, { recursive: true, force: true });
process.exit();
