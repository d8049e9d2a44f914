import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ProxySettings, proxiesOf } from '../../lib/web/proxies.js';
import { authority } from '../support/authority.js';
import { FakeClock } from '../support/fake-clock.js';
import { type ForwardProxy, forwardProxy } from '../support/forward-proxy.js';
import { fromSource } from '../support/from-source.js';
import { type Handler, loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ca = authority(temporaryFolder());
const pages = 'http://pages.example/';
const reply: Handler = (request, response) => response.end(`${request.headers.host}`);

/** A proxy in front of a server, and a session that uses it with these settings and the page above. */
async function proxied(
  t: TestContext,
  settings: (proxy: ForwardProxy) => ProxySettings = ({ url }) => ({ httpProxy: url }),
  handler = reply,
) {
  const server = await loopback(t, handler);
  const proxy = await forwardProxy(t, server);
  const site = testSite({ hosts: ['.pages.example', 'localhost'] });
  return { server, proxy, session: network(t, { proxy: settings(proxy) }).open(site) };
}

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

test('an unknown authority is not trusted, and the message names the setting', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'), ca.issue('localhost'));
  const session = network(t).open(testSite());
  await assert.rejects(session.fetch({ url: `https://localhost:${server.port}/` }), {
    code: 'platform_unavailable',
    message: /^localhost could not be read: its certificate is not trusted \(\w+\); NODE_EXTRA_CA_CERTS /,
  });
  assert.equal(server.requests.length, 0);
});

test('http goes through the http proxy, with its credentials', async (t) => {
  const { proxy, session } = await proxied(t, ({ url }) => ({
    httpProxy: url.replace('//', '//me:p%40ss@'),
  }));
  assert.equal((await session.fetch({ url: pages })).text(), 'pages.example');
  assert.deepEqual(proxy.tunnels, ['pages.example:80']);
  assert.deepEqual(proxy.credentials, [`Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
});

test('a redirect to another host goes through the proxy under that host’s name', async (t) => {
  const hosts: unknown[] = [];
  const { proxy, session } = await proxied(t, undefined, (request, response) => {
    hosts.push(request.headers.host);
    if (hosts.length === 1) response.writeHead(302, { location: 'http://b.pages.example/' });
    response.end();
  });
  const page = await session.fetch({ url: 'http://a.pages.example/' });
  assert.equal(page.url, 'http://b.pages.example/');
  assert.deepEqual(hosts, ['a.pages.example', 'b.pages.example']);
  assert.deepEqual(proxy.tunnels, ['a.pages.example:80', 'b.pages.example:80']);
});

test('a proxy may be set without its scheme', async (t) => {
  const { proxy, session } = await proxied(t, ({ port }) => ({ httpProxy: ` 127.0.0.1:${port} ` }));
  await session.fetch({ url: pages });
  assert.equal(proxy.tunnels.length, 1);
});

for (const [noProxy, isProxied] of [
  ['localhost', false],
  ['elsewhere.example, localhost', false],
  ['*', false],
  ['elsewhere.example', true],
  ['', true],
] as const) {
  test(`with NO_PROXY “${noProxy}” localhost is requested ${isProxied ? 'through the proxy' : 'directly'}`, async (t) => {
    const { server, proxy, session } = await proxied(t, ({ url }) => ({ httpProxy: url, noProxy }));
    await session.fetch({ url: `http://localhost:${server.port}/` });
    assert.equal(proxy.tunnels.length, isProxied ? 1 : 0);
    assert.equal(server.requests.length, 1);
  });
}

test('proxies in the environment are used only through the settings', async (t) => {
  const { server, proxy, session } = await proxied(t);
  const before = { http_proxy: process.env.http_proxy, no_proxy: process.env.no_proxy };
  Object.assign(process.env, { http_proxy: proxy.url, no_proxy: 'localhost' });
  t.after(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  await network(t).open(testSite()).fetch({ url: server.origin });
  assert.equal(proxy.tunnels.length, 0);
  await session.fetch({ url: `http://localhost:${server.port}/` });
  assert.equal(proxy.tunnels.length, 1);
});

for (const status of [407, 403, 502]) {
  test(`a proxy that answers ${status} is platform_unavailable, and the message lacks its address`, async (t) => {
    const clock = new FakeClock();
    const proxy = await forwardProxy(t, { status });
    const settings = { httpProxy: proxy.url.replace('//', '//me:secret@') };
    const session = network(t, { clock, proxy: settings }).open(testSite());
    await assert.rejects(clock.passing(session.fetch({ url: pages })), {
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
  await assert.rejects(session.fetch({ url: pages }), { code: 'platform_timeout' });
});

test('an unreachable proxy is platform_unavailable, and the message names its setting', async (t) => {
  const clock = new FakeClock();
  const session = network(t, { clock, proxy: { httpProxy: 'http://127.0.0.1:9' } }).open(testSite());
  await assert.rejects(clock.passing(session.fetch({ url: pages })), {
    code: 'platform_unavailable',
    message:
      'pages.example could not be read: the proxy of HTTP_PROXY refused the connection; check that setting.',
  });
});

test('closing the network ends connections to a silent proxy', async (t) => {
  const proxy = await forwardProxy(t, 'silence');
  const source = network(t, { proxy: { httpProxy: proxy.url } });
  const fetched = assert.rejects(source.open(testSite()).fetch({ url: pages }), {
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
  test(`the proxy setting ${setting} is refused, and not repeated in the message`, () => {
    assert.throws(() => proxiesOf({ httpsProxy: setting }), {
      code: 'invalid_parameter',
      message: 'HTTPS_PROXY is not the http or https URL of a proxy. Correct the value and try again.',
    });
  });
}

test('blank settings are ignored', () => {
  assert.equal(proxiesOf({ httpsProxy: '', httpProxy: '  ', noProxy: 'x' }), null);
  assert.equal(proxiesOf({}), null);
});
