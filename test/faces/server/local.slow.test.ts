import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { extract } from '../../support/cli.js';
import { serveHome } from '../../support/serve-home.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = path.join(temporaryFolder(), 'home');
const start = () => serveHome(home, { config: { browser: 'never' }, local: true });
let running = await start();
after(() => running.stop());

/** Sends a request with headers that `fetch` would replace. */
async function send(method: string, target: string, headers: http.OutgoingHttpHeaders = {}, body = '') {
  const request = http.request(new URL(target, running.url), { method, headers }).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return {
    status: response.statusCode,
    headers: response.headers,
    body: (await response.toArray()).join(''),
  };
}

const sample = '/v1/shortvideo/profile?username=mira.kettle&demo=true';
const json = { 'Content-Type': 'application/json' };
const orderOf = (endpoint: string, count: number, input: object) =>
  JSON.stringify({ endpoint, inputs: Array(count).fill({ ...input, demo: true }) });

describe('a server for its own machine', () => {
  test('listens on the loopback address, without a link to an admin page', () => {
    assert.equal(new URL(running.url).hostname, '127.0.0.1');
    assert.equal(running.adminLink, null);
    assert.equal(running.isNew, false);
  });

  test('answers calls, lists and tools without a key, whatever key is sent', async () => {
    for (const headers of [{}, { Authorization: 'Bearer xt_live_other' }]) {
      const { data } = JSON.parse((await send('GET', '/v1/account', headers)).body);
      assert.deepEqual([data.id, data.is_verified, data.api_key.name], ['local', true, 'this machine']);
    }
    assert.equal((await send('GET', sample)).status, 200);
    const params = { name: 'get_balance', arguments: {} };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const accepts = { Accept: 'application/json, text/event-stream' };
    const { body } = await send('POST', '/mcp', { ...json, ...accepts }, JSON.stringify(message));
    assert.match(body, /\\"account\\":\\"local\\"/);
  });

  test('runs jobs, the most expensive ones too', async () => {
    const create = async (order: string) => {
      const { status, body } = await send('POST', '/v1/jobs', json, order);
      assert.equal(status, 202, body);
      return JSON.parse(body).data.id;
    };
    const large = await create(orderOf('pronetwork/profile', 10_000, { vanity_name: 'x' }));
    assert.equal((await send('POST', `/v1/jobs/${large}/cancel`, json, '{}')).status, 200);
    const id = await create(orderOf('shortvideo/profile', 2, { username: 'mira.kettle' }));
    const { body } = await send('GET', `/v1/jobs/${id}/results?wait=true`);
    const lines = body.trimEnd().split('\n');
    const names = lines.map((line) => JSON.parse(line).data.username);
    assert.deepEqual(names, ['mira.kettle', 'mira.kettle']);
  });

  test('shows its documentation instead of pages for accounts', async () => {
    for (const page of ['/', '/dashboard']) {
      const { status, headers } = await send('GET', page);
      assert.deepEqual([status, headers.location], [302, '/docs']);
    }
    assert.equal((await send('GET', '/docs')).status, 200);
    for (const page of ['/sign-in', '/admin', '/dashboard/keys'])
      assert.equal((await send('GET', page)).status, 404);
  });

  test('answers under every name of this machine, and to its own pages', async () => {
    const { port } = new URL(running.url);
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const own = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
      assert.equal((await send('GET', sample, own)).status, 200, host);
    }
    assert.equal((await send('GET', sample, { 'Sec-Fetch-Site': 'none' })).status, 200);
  });

  test('refuses other hosts, other pages and proxies on every route', async () => {
    const { host, port } = new URL(running.url);
    const rebound = ['rebound.example', `rebound.example:${port}`, 'localhost.example', '127.0.0.1.example'];
    const origins = ['https://website.example', 'null', `http://localhost:${port}`, `https://${host}`];
    const foreign: readonly http.OutgoingHttpHeaders[] = [
      ...[...rebound, '10.0.0.1', 'local host'].map((name) => ({ Host: name })),
      ...origins.map((Origin) => ({ Origin })),
      ...['cross-site', 'same-site'].map((site) => ({ 'Sec-Fetch-Site': site })),
      ...['Forwarded', 'X-Forwarded-For', 'X-Real-IP', 'Via'].map((name) => ({ [name]: '203.0.113.5' })),
    ];
    for (const headers of foreign) {
      for (const [method, target] of [
        ['GET', sample],
        ['GET', '/docs'],
        ['POST', '/v1/jobs'],
        ['POST', '/mcp'],
        ['OPTIONS', '/v1/jobs'],
      ] as const) {
        const refused = await send(method, target, { ...json, ...headers }, method === 'POST' ? '{}' : '');
        const what = `${JSON.stringify(headers)} ${target} ${refused.status}`;
        assert.ok([400, 403].includes(refused.status ?? 0), what);
        assert.match(refused.body, /only answers its own machine|Host/);
        assert.equal(refused.headers['access-control-allow-origin'], undefined);
      }
    }
  });

  test('keeps its account over a restart', async () => {
    const balance = async () => JSON.parse((await send('GET', '/v1/account')).body).data.credits_remaining;
    const first = await balance();
    await running.stop();
    running = await start();
    assert.equal(await balance(), first);
  });
});

describe('extract serve --local', () => {
  test('refuses whatever would let other machines in', async () => {
    for (const wrong of ['--host 0.0.0.0', '--host 192.0.2.1', '--trust-proxy', '--role api']) {
      const { status, err } = await extract(['serve', '--local', ...wrong.split(' ')]);
      assert.equal(status, 2, wrong);
      assert.match(JSON.parse(err).error.message, /only serves this machine/);
    }
  });
});
