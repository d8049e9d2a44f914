import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ProxySettings, proxiesOf } from '../../lib/web/proxies.js';
import { type Authority, authority } from '../support/authority.js';
import { FakeClock } from '../support/fake-clock.js';
import { forwardProxy } from '../support/forward-proxy.js';
import { fromSource } from '../support/from-source.js';
import { loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

let dir: string;
let ca: Authority;

before(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'authority-'));
  ca = authority(dir);
});
after(() => rmSync(dir, { recursive: true, force: true }));

const program = fileURLToPath(new URL('../support/fetch-apart.ts', import.meta.url));

/** Requests each URL in another process that trusts the authority in this file. */
async function apart(urls: string[], proxy: ProxySettings, trusted: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...fromSource, program, JSON.stringify({ urls, proxy })],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
  );
  return JSON.parse(stdout) as string[];
}

test('NODE_EXTRA_CA_CERTS is honoured directly and through a proxy’s tunnel', async (t) => {
  const server = await loopback(
    t,
    (request, response) => response.end(`${request.headers.host} ${request.url}`),
    ca.issue('localhost', 'pages.example'),
  );
  const proxy = await forwardProxy(t, server);
  const direct = await apart([`https://localhost:${server.port}/a`], {}, ca.file);
  assert.deepEqual(direct, [`localhost:${server.port} /a`]);
  const tunnelled = await apart(
    ['https://pages.example/b', 'https://pages.example/c', 'https://elsewhere.example/d'],
    { httpsProxy: proxy.url },
    ca.file,
  );
  assert.deepEqual(tunnelled.slice(0, 2), ['pages.example /b', 'pages.example /c']);
  assert.match(
    String(tunnelled[2]),
    /^platform_unavailable: elsewhere\.example .* certificate is not trusted/,
  );
  assert.equal(proxy.tunnels[0], 'pages.example:443');
  assert.equal(proxy.tunnels.filter((name) => name === 'pages.example:443').length, 1, 'the tunnel is kept');
});

test('an unknown authority is not trusted, and the message says what helps', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'), ca.issue('localhost'));
  const session = network(t).open(testSite());
  await assert.rejects(session.fetch({ url: `https://localhost:${server.port}/` }), {
    code: 'platform_unavailable',
    message: /^localhost could not be read: its certificate is not trusted \(\w+\); NODE_EXTRA_CA_CERTS /,
  });
  assert.equal(server.requests.length, 0);
});

test('plain http goes through the http proxy, with its credentials', async (t) => {
  const server = await loopback(t, (request, response) => response.end(`${request.headers.host}`));
  const proxy = await forwardProxy(t, server);
  const withCredentials = proxy.url.replace('//', '//me:p%40ss@');
  const session = network(t, { proxy: { httpProxy: withCredentials } }).open(testSite());
  assert.equal((await session.fetch({ url: 'http://pages.example/' })).text(), 'pages.example');
  assert.deepEqual(proxy.tunnels, ['pages.example:80']);
  assert.deepEqual(proxy.credentials, [`Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
});

test('a redirect to another host goes through the proxy under that host’s name', async (t) => {
  const hosts: unknown[] = [];
  const server = await loopback(t, (request, response) => {
    hosts.push(request.headers.host);
    if (hosts.length === 1) response.writeHead(302, { location: 'http://b.pages.example/' });
    response.end();
  });
  const proxy = await forwardProxy(t, server);
  const site = testSite({ hosts: ['.pages.example'] });
  const session = network(t, { proxy: { httpProxy: proxy.url } }).open(site);
  const page = await session.fetch({ url: 'http://a.pages.example/' });
  assert.equal(page.url, 'http://b.pages.example/');
  assert.deepEqual(hosts, ['a.pages.example', 'b.pages.example']);
  assert.deepEqual(proxy.tunnels, ['a.pages.example:80', 'b.pages.example:80']);
});

test('a proxy may be set without its scheme', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'));
  const proxy = await forwardProxy(t, server);
  const session = network(t, { proxy: { httpProxy: ` 127.0.0.1:${proxy.port} ` } }).open(testSite());
  await session.fetch({ url: 'http://pages.example/' });
  assert.equal(proxy.tunnels.length, 1);
});

for (const [noProxy, proxied] of [
  ['localhost', false],
  ['elsewhere.example, localhost', false],
  ['*', false],
  ['elsewhere.example', true],
  ['', true],
] as const) {
  test(`with NO_PROXY “${noProxy}” localhost is requested ${proxied ? 'through the proxy' : 'directly'}`, async (t) => {
    const server = await loopback(t, (_request, response) => response.end('x'));
    const proxy = await forwardProxy(t, server);
    const session = network(t, { proxy: { httpProxy: proxy.url, noProxy } }).open(testSite());
    await session.fetch({ url: `http://localhost:${server.port}/` });
    assert.equal(proxy.tunnels.length, proxied ? 1 : 0);
    assert.equal(server.requests.length, 1);
  });
}

test('the environment is not read behind the settings’ back', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'));
  const proxy = await forwardProxy(t, server);
  const before = { http_proxy: process.env.http_proxy, no_proxy: process.env.no_proxy };
  process.env.http_proxy = proxy.url;
  process.env.no_proxy = 'localhost';
  t.after(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  await network(t).open(testSite()).fetch({ url: server.origin });
  assert.equal(proxy.tunnels.length, 0);
  const session = network(t, { proxy: { httpProxy: proxy.url } }).open(testSite());
  await session.fetch({ url: `http://localhost:${server.port}/` });
  assert.equal(proxy.tunnels.length, 1);
});

for (const status of [407, 403, 502]) {
  test(`a proxy that answers ${status} is platform_unavailable, and the message lacks its address`, async (t) => {
    const clock = new FakeClock();
    const proxy = await forwardProxy(t, { status });
    const settings = { httpProxy: proxy.url.replace('//', '//me:secret@') };
    const session = network(t, { clock, proxy: settings }).open(testSite());
    await assert.rejects(clock.passing(session.fetch({ url: 'http://pages.example/' })), {
      code: 'platform_unavailable',
      message: `pages.example could not be read: the proxy of HTTP_PROXY answered with status ${status}; check that setting.`,
    });
    assert.equal(proxy.tunnels.length, 1);
  });
}

test('a proxy that never answers is platform_timeout', async (t) => {
  const proxy = await forwardProxy(t, 'silence');
  const timeouts = { connectMs: 50, headersMs: 5000, bodyMs: 5000, totalMs: 60_000 };
  const session = network(t, { timeouts, proxy: { httpProxy: proxy.url } }).open(testSite());
  await assert.rejects(session.fetch({ url: 'http://pages.example/' }), { code: 'platform_timeout' });
});

test('a proxy that is not there is platform_unavailable, and the message names its setting', async (t) => {
  const clock = new FakeClock();
  const session = network(t, { clock, proxy: { httpProxy: 'http://127.0.0.1:9' } }).open(testSite());
  await assert.rejects(clock.passing(session.fetch({ url: 'http://pages.example/' })), {
    code: 'platform_unavailable',
    message:
      'pages.example could not be read: the proxy of HTTP_PROXY refused the connection; check that setting.',
  });
});

test('closing ends connections that are being made through a proxy', async (t) => {
  const proxy = await forwardProxy(t, 'silence');
  const source = network(t, { proxy: { httpProxy: proxy.url } });
  const fetched = assert.rejects(source.open(testSite()).fetch({ url: 'http://pages.example/' }), {
    code: 'platform_unavailable',
  });
  while (proxy.tunnels.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await source.close();
  await fetched;
});

for (const setting of [
  'socks5://127.0.0.1:1080',
  'http://',
  'ftp://me:secret@proxy',
  'http://me:secret@:80:80',
]) {
  test(`the proxy setting ${setting} is refused without being repeated`, () => {
    assert.throws(() => proxiesOf({ httpsProxy: setting }), {
      code: 'invalid_parameter',
      message: 'HTTPS_PROXY is not the http or https URL of a proxy. Correct the value and try again.',
    });
  });
}

test('blank settings are none', () => {
  assert.equal(proxiesOf({ httpsProxy: '', httpProxy: '  ', noProxy: 'x' }), null);
  assert.equal(proxiesOf({}), null);
});
