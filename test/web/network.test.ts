import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../support/fake-clock.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

test('a request carries the user agent, the site’s headers and its own over them', async (t) => {
  let headers: Record<string, unknown> = {};
  const { origin } = await loopback(t, (request, response) => {
    headers = request.headers;
    response.end('ok');
  });
  const session = network(t, { userAgent: 'extract/1 (+https://example.org)' }).open(testSite());
  await session.fetch({ url: `${origin}/a`, headers: { 'Accept-Language': 'de', 'X-Extra': '1' } });
  const { accept, 'user-agent': agent, 'accept-language': language, 'x-extra': extra, cookie } = headers;
  assert.deepEqual([accept, language, extra, cookie], ['text/html', 'de', '1', undefined]);
  assert.equal(agent, 'extract/1 (+https://example.org)');
  assert.match(String(headers['accept-encoding']), /^gzip, br/);
});

test('the page has final URL, status, lower-case headers without cookies, body and text', async (t) => {
  const { origin } = await loopback(t, (_request, response) => {
    response.writeHead(404, {
      'Content-Type': 'text/html; charset=iso-8859-1',
      'Set-Cookie': ['a=1', 'b=2'],
      'X-Twice': ['1', '2'],
      'Content-Length': 4,
    });
    response.end(Buffer.from('caf\xe9', 'latin1'));
  });
  const page = await network(t)
    .open(testSite())
    .fetch({ url: `${origin}/a?q=ä#part` });
  assert.deepEqual([page.url, page.status], [`${origin}/a?q=%C3%A4#part`, 404]);
  assert.deepEqual([page.text(), page.body.byteLength], ['café', 4]);
  const { 'content-type': type, 'x-twice': twice, ...others } = page.headers;
  assert.deepEqual([type, twice], ['text/html; charset=iso-8859-1', '1, 2']);
  for (const name of ['set-cookie', 'content-length']) assert.ok(!(name in others), name);
});

test('a POST sends its body', async (t) => {
  let sent = '';
  const { origin } = await loopback(t, async (request, response) => {
    sent = `${request.method} ${request.headers['content-type']} ${await bodyOf(request)}`;
    response.end();
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await network(t).open(testSite()).fetch({ url: origin, method: 'POST', headers, body: 'a=ü' });
  assert.equal(sent, 'POST application/x-www-form-urlencoded a=ü');
});

for (const [sent, expected] of [
  ['17', '17'],
  ['Thu, 01 Jan 2026 00:02:00 GMT', '120'],
  ['soon', undefined],
] as const) {
  test(`Retry-After “${sent}” reaches the reader as ${expected ?? 'nothing'}`, async (t) => {
    const { origin } = await loopback(t, (_request, response) => {
      response.writeHead(429, { 'retry-after': sent }).end();
    });
    const page = await network(t).open(testSite()).fetch({ url: origin });
    assert.equal(page.headers['retry-after'], expected);
  });
}

test('after “too many requests” a session asks the surface for nothing more, and the others', async (t) => {
  const paths: unknown[] = [];
  const { origin } = await loopback(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(429, { 'retry-after': '30' }).end();
  });
  const session = network(t).open(testSite());
  for (const surface of ['page', 'page', 'embed']) {
    const { status } = await session.fetch({ url: `${origin}/${surface}`, surface });
    assert.equal(status, 429);
  }
  assert.deepEqual(paths, ['/page', '/embed']);
});

test('cookies set during a session are sent back to the host that set them, and end with the session', async (t) => {
  const cookies: unknown[] = [];
  const server = await loopback(t, (request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, {
      'set-cookie': ['token=abc; Path=/', 'narrow=1; Path=/deep', 'gone=1; Max-Age=0'],
    });
    response.end();
  });
  const source = network(t);
  const session = source.open(testSite());
  const url = `${server.origin}/`;
  assert.equal(session.cookie(url, 'token'), null);
  await session.fetch({ url });
  assert.equal(session.cookie(url, 'token'), 'abc');
  assert.equal(session.cookie(url, 'narrow'), null);
  assert.equal(session.cookie(`${url}deep/x`, 'narrow'), '1');
  assert.equal(session.cookie(url, 'gone'), null);
  await session.fetch({ url });
  await session.fetch({ url, headers: { Cookie: 'own=2' } });
  await session.fetch({ url: `http://localhost:${server.port}/` });
  await source.open(testSite()).fetch({ url });
  assert.deepEqual(cookies, [undefined, 'token=abc', 'own=2; token=abc', undefined, undefined]);
});

test('a cookie for another site’s domain or a public suffix is not stored', async (t) => {
  const { origin, port } = await loopback(t, (_request, response) => {
    const cookies = ['a=1; Domain=example.org', 'b=1; Domain=com', 'nonsense', '=; ;;', 'c=3'];
    response.setHeader('set-cookie', cookies);
    response.end();
  });
  const session = network(t).open(testSite());
  const url = `http://localhost:${port}/`;
  await session.fetch({ url });
  assert.equal(session.cookie('https://example.org/', 'a'), null);
  assert.equal(session.cookie('https://x.com/', 'b'), null);
  assert.equal(session.cookie(url, 'c'), '3');
  assert.equal(session.cookie(origin, 'c'), null);
});

test('requests share a connection, over sessions too', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'));
  const source = network(t);
  for (let index = 0; index < 5; index += 1)
    await source
      .open(testSite({ surfaces: { page: { ms: 0, concurrency: 1 } } }))
      .fetch({ url: server.origin });
  assert.equal(server.requests.length, 5);
  assert.equal(server.sockets.size, 1);
});

test('close lets go of every connection', async (t) => {
  const server = await loopback(t, (_request, response) => response.end('x'));
  const source = network(t);
  await source.open(testSite()).fetch({ url: server.origin });
  await source.close();
  await server.allClosed();
  assert.throws(() => source.open(testSite()), { code: 'platform_unavailable' });
  assert.equal(server.requests.length, 1);
});

test('requests of a platform follow its pace, redirects and other sessions included', async (t) => {
  const clock = new FakeClock();
  const server = await loopback(t, (request, response) => {
    if (request.url === '/first') response.writeHead(302, { location: '/second' });
    response.end();
  });
  const source = network(t, { clock });
  const site = testSite({ surfaces: { page: { ms: 1000, concurrency: 1 } } });
  const one = source.open(site).fetch({ url: `${server.origin}/first` });
  const two = source.open(site).fetch({ url: `${server.origin}/other` });
  const startedAt = clock.now();
  await clock.passing(Promise.all([one, two]));
  assert.deepEqual(server.requests, ['GET /first', 'GET /other', 'GET /second']);
  assert.equal(clock.now() - startedAt, 2000);
});
