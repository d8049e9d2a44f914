// The sample configurations of reverse proxies, run by the programs they are for, with ports and names of this machine.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Agent, fetch } from 'undici';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { authority } from '../support/authority.js';
import { freePort } from '../support/free-port.js';
import { gate } from '../support/gate.js';
import { testServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const sample = (name: string) => readFileSync(path.join(packageRoot(), 'deploy', name), 'utf8');
const installed = (program: string, flag: string) => spawnSync(program, [flag]).error === undefined;

/** A reverse proxy that runs before a port of this machine. */
interface Front {
  readonly url: string;
  readonly agent: Agent;
  /** The access log; null if the proxy writes none. */
  readonly accessLog: string | null;
}

type StartFront = (upstream: number, ...more: number[]) => Promise<Front>;

/** Starts a program and waits until its port takes connections. */
async function run(program: string, args: readonly string[], port: number, env = {}): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  const ended = once(child, 'exit');
  after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  for (;;) {
    assert.equal(child.exitCode, null, `${program} ended`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      (error: { cause?: { code?: string } }) => error.cause?.code !== 'ECONNREFUSED',
    );
    if (answered) return;
    await setTimeout(20);
  }
}

/** Lets an app listen, and gives its port. */
async function portOf(app: FastifyInstance, port = 0): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port })).port);
}

let started = 0;

const nginx: StartFront = async (upstream) => {
  started += 1;
  const home = path.join(folder, `nginx-${started}`);
  mkdirSync(home);
  const { issue, file } = authority(home);
  const { key, cert } = issue('extract.example.com');
  writeFileSync(path.join(home, 'key.pem'), key);
  writeFileSync(path.join(home, 'cert.pem'), cert);
  const port = await freePort();
  const site = sample('nginx.conf')
    .replace('server 127.0.0.1:8787;', `server 127.0.0.1:${upstream};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace('listen [::]:443 ssl;', '')
    .replace('/var/log/nginx/', `${home}/`)
    .replace(/ssl_certificate +\S+;/, `ssl_certificate ${home}/cert.pem;`)
    .replace(/ssl_certificate_key +\S+;/, `ssl_certificate_key ${home}/key.pem;`);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    path.join(home, 'nginx.conf'),
    `${user}\npid ${home}/pid;\nerror_log ${home}/error.log;\nevents {}\nhttp {\naccess_log off;\n${temp}\n${site}\n}\n`,
  );
  const options = {
    '-p': home,
    '-e': `${home}/error.log`,
    '-c': path.join(home, 'nginx.conf'),
    '-g': 'daemon off;',
  };
  const args = Object.entries(options).flat();
  await run('nginx', args, port);
  const agent = new Agent({ connect: { ca: readFileSync(file, 'utf8'), servername: 'extract.example.com' } });
  return { url: `https://127.0.0.1:${port}`, agent, accessLog: path.join(home, 'access.log') };
};

const caddy: StartFront = async (...upstreams) => {
  started += 1;
  const port = await freePort();
  const file = path.join(folder, `Caddyfile-${started}`);
  writeFileSync(file, `{\n\tadmin off\n}\n${sample('Caddyfile')}`);
  await run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port, {
    EXTRACT_HOSTNAME: `http://127.0.0.1:${port}`,
    EXTRACT_UPSTREAM: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
  return { url: `http://127.0.0.1:${port}`, agent: new Agent(), accessLog: null };
};

/** A server that sends one part, waits for a word, and sends the other. */
async function twoParts() {
  const { open: release, opened } = gate();
  const server = createServer(async (_, reply) => {
    reply.setHeader('Content-Type', 'application/x-ndjson');
    reply.write('first\n');
    await opened;
    reply.end('second\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return { port: (server.address() as AddressInfo).port, release };
}

const fronts: Readonly<Record<string, { readonly start: StartFront; readonly there: boolean }>> = {
  nginx: { start: nginx, there: installed('nginx', '-v') },
  caddy: { start: caddy, there: installed('caddy', 'version') },
};

for (const [name, { start, there }] of Object.entries(fronts)) {
  describe(`the sample for ${name}`, { skip: there ? false : `${name} is not installed` }, () => {
    test('passes requests on, counts the client it saw, and keeps the metrics in', async () => {
      const { app } = await testServer({ config: { demoRateLimit: 2, trustProxy: ['loopback'] } });
      const { url, agent } = await start(await portOf(app));
      const ask = (from: string) =>
        fetch(`${url}/v1/shortvideo/profile?username=any&demo=true`, {
          dispatcher: agent,
          headers: { 'x-forwarded-for': from },
        });
      const statuses = [];
      for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) statuses.push((await ask(from)).status);
      assert.equal(statuses.at(-1), 429, `${statuses}`);
      assert.equal((await fetch(`${url}/healthz`, { dispatcher: agent })).status, 200);
      assert.equal((await fetch(`${url}/metrics`, { dispatcher: agent })).status, 404);
    });

    test('keeps the paths of shared links out of its log', async (t) => {
      const { app } = await testServer();
      const { url, agent, accessLog } = await start(await portOf(app));
      for (const path of ['/healthz', '/feeds/secret.atom', '/tables/secret.csv', '/healthz?again']) {
        await (await fetch(`${url}${path}`, { dispatcher: agent })).text();
      }
      if (accessLog === null) return t.diagnostic('it keeps no log by itself');
      for (let log = ''; !log.includes('again'); log = readFileSync(accessLog, 'utf8')) await setTimeout(20);
      assert.doesNotMatch(readFileSync(accessLog, 'utf8'), /secret/);
    });

    test('passes a full batch of inputs to the server', async () => {
      const { app, account } = await testServer();
      const { secret } = await account();
      const { url, agent } = await start(await portOf(app));
      const answer = await fetch(`${url}/v1/jobs`, {
        method: 'POST',
        dispatcher: agent,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: `[${'1,'.repeat(7_500_000)}1]`,
      });
      const { error } = (await answer.json()) as { error: { code: string; request_id: string } };
      assert.equal(error.code, 'invalid_body');
      assert.match(error.request_id, /^req_/);
    });

    test('passes lines on as they arrive', async () => {
      const { port, release } = await twoParts();
      const { url, agent } = await start(port);
      const answer = await fetch(`${url}/v1/jobs/job_1/results?wait=true`, { dispatcher: agent });
      const reader = answer.body?.getReader();
      assert.ok(reader);
      assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'first\n');
      release();
      assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'second\n');
    });
  });
}

describe('the sample for caddy before several servers', {
  skip: fronts.caddy?.there ? false : 'caddy is not installed',
}, () => {
  test('passes over one that is restarted, and back: no request fails', async () => {
    const begin = async (at: number) => {
      const { app } = await testServer({ config: { demoRateLimit: 1_000 } });
      return { app, port: await portOf(app, at) };
    };
    const [first, second] = [await begin(0), await begin(0)];
    const { url } = await caddy(first.port, second.port);
    const statuses: number[] = [];
    const request = () =>
      fetch(`${url}/v1/shortvideo/profile?username=any&demo=true`).then(({ status }) => {
        statuses.push(status);
      });
    const ask = async () => {
      for (let at = 0; at < 10; at += 1) await request();
    };
    await Promise.all([ask(), ask()]);
    await Promise.all([ask(), first.app.close().then(ask)]);
    await begin(first.port);
    await Promise.all([ask(), second.app.close().then(ask)]);
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.equal(statuses.length, 60);
  });
});
