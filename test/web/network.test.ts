import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, loopback } from '../support/loopback.js';
import { testSite } from '../support/site.js';
import { served } from './served.js';

test('a request carries the user agent, the site’s headers and its own over them', async (t) => {
  let headers: Record<string, unknown> = {};
  const userAgent = 'extract/1 (+https://example.org)';
  const { fetch } = await served(
    t,
    (request, response) => {
      headers = request.headers;
      response.end('ok');
    },
    { userAgent },
  );
  await fetch('/a', { headers: { 'Accept-Language': 'de', 'X-Extra': '1' } });
  assert.partialDeepStrictEqual(headers, {
    ...{ accept: 'text/html', 'accept-language': 'de', 'x-extra': '1', 'user-agent': userAgent },
  });
  assert.equal(headers.cookie, undefined);
  assert.match(String(headers['accept-encoding']), /^gzip, br/);
});

test('a page has its final URL, status, lower-case headers without cookies, body and text', async (t) => {
  const { server, fetch } = await served(t, (_request, response) => {
    response.writeHead(404, {
      'Content-Type': 'text/html; charset=iso-8859-1',
      'Set-Cookie': ['a=1', 'b=2'],
      'X-Twice': ['1', '2'],
      'Retry-After': 'Thu, 01 Jan 2026 00:02:00 GMT',
      'Content-Length': 4,
    });
    response.end(Buffer.from('caf\xe9', 'latin1'));
  });
  const page = await fetch('/a?q=ä#part');
  assert.deepEqual([page.url, page.status], [`${server.origin}/a?q=%C3%A4#part`, 404]);
  assert.deepEqual([page.text(), page.body.byteLength], ['café', 4]);
  const { 'content-type': type, 'x-twice': twice, 'retry-after': wait, ...others } = page.headers;
  assert.deepEqual([type, twice, wait], ['text/html; charset=iso-8859-1', '1, 2', '120']);
  for (const name of ['set-cookie', 'content-length']) assert.ok(!(name in others), name);
});

test('a POST sends its body', async (t) => {
  let sent = '';
  const { fetch } = await served(t, async (request, response) => {
    sent = `${request.method} ${request.headers['content-type']} ${await bodyOf(request)}`;
    response.end();
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await fetch('/', { method: 'POST', headers, body: 'a=ü' });
  assert.equal(sent, 'POST application/x-www-form-urlencoded a=ü');
});

test('after a 429 a session requests nothing more from that surface, and still from the others', async (t) => {
  const { server, fetch } = await served(t, (_request, response) => {
    response.writeHead(429, { 'retry-after': '30' }).end();
  });
  for (const surface of ['page', 'page', 'embed'])
    assert.equal((await fetch(`/${surface}`, { surface })).status, 429);
  assert.deepEqual(server.requests, ['GET /page', 'GET /embed']);
});

test('cookies are sent back to the host that set them, and end with the session', async (t) => {
  const cookies: unknown[] = [];
  const set = ['token=abc; Path=/', 'narrow=1; Path=/deep', 'gone=1; Max-Age=0'];
  const { server, source, session, fetch } = await served(t, (request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { 'set-cookie': set }).end();
  });
  const cookie = (name: string, path = '') => session.cookie(`${server.origin}/${path}`, name);
  assert.equal(cookie('token'), null);
  await fetch();
  assert.deepEqual([cookie('token'), cookie('narrow'), cookie('gone')], ['abc', null, null]);
  assert.equal(cookie('narrow', 'deep/x'), '1');
  await fetch();
  await fetch('/', { headers: { Cookie: 'own=2' } });
  await session.fetch({ url: `http://localhost:${server.port}/` });
  await source.open(testSite()).fetch({ url: server.origin });
  assert.deepEqual(cookies, [undefined, 'token=abc', 'own=2; token=abc', undefined, undefined]);
});

test('a cookie for another site’s domain or a public suffix is not stored', async (t) => {
  const { server, session } = await served(t, (_request, response) => {
    const cookies = ['a=1; Domain=example.org', 'b=1; Domain=com', 'nonsense', '=; ;;', 'c=3'];
    response.writeHead(200, { 'set-cookie': cookies }).end();
  });
  const url = `http://localhost:${server.port}/`;
  await session.fetch({ url });
  assert.equal(session.cookie('https://example.org/', 'a'), null);
  assert.equal(session.cookie('https://x.com/', 'b'), null);
  assert.equal(session.cookie(url, 'c'), '3');
  assert.equal(session.cookie(server.origin, 'c'), null);
});

test('requests share a connection, over sessions too', async (t) => {
  const site = { surfaces: { page: { ms: 0, concurrency: 1 } } };
  const { server, source } = await served(t, undefined, { site });
  for (let index = 0; index < 5; index += 1) await source.open(testSite(site)).fetch({ url: server.origin });
  assert.deepEqual([server.requests.length, server.sockets.size], [5, 1]);
});

test('closing the network closes every connection', async (t) => {
  const { server, source, fetch } = await served(t);
  await fetch();
  await source.close();
  await server.allClosed();
  assert.throws(() => source.open(testSite()), { code: 'platform_unavailable' });
  assert.equal(server.requests.length, 1);
});

test('requests of a platform follow its pace, redirects and other sessions included', async (t) => {
  const site = { surfaces: { page: { ms: 1000, concurrency: 1 } } };
  const { clock, server, source, fetch } = await served(
    t,
    (request, response) => {
      if (request.url === '/first') response.writeHead(302, { location: '/second' });
      response.end();
    },
    { site },
  );
  const other = source.open(testSite(site));
  const startedAt = clock.now();
  await clock.passing(Promise.all([fetch('/first'), other.fetch({ url: `${server.origin}/other` })]));
  assert.deepEqual(server.requests, ['GET /first', 'GET /other', 'GET /second']);
  assert.equal(clock.now() - startedAt, 2000);
});

test('five redirects are followed and the sixth is the answer', async (t) => {
  const { server, fetch } = await served(t, (request, response) => {
    const step = Number(request.url?.slice(1));
    response.writeHead(302, { location: `/${step + 1}` }).end('moved');
  });
  const page = await fetch('/0');
  assert.deepEqual([page.status, page.url, page.headers.location], [302, `${server.origin}/5`, '/6']);
  assert.deepEqual([page.text(), server.requests.length], ['moved', 6]);
});

test('a redirect off the site is the answer, and the other host gets no request', async (t) => {
  const other = await loopback(t, (_request, response) => response.end('secret'));
  const { fetch } = await served(
    t,
    (_request, response) => response.writeHead(302, { location: `${other.origin}/login` }).end(),
    { site: { hosts: ['127.0.0.1'] } },
  );
  const page = await fetch();
  assert.deepEqual([page.status, page.headers.location], [302, `${other.origin}/login`]);
  assert.equal(other.requests.length, 0);
});

test('a redirect between hosts of the site is followed, each host getting its own cookies', async (t) => {
  const requests: string[] = [];
  const { server, session, fetch } = await served(t, (request, response) => {
    requests.push(`${request.headers.host?.split(':')[0]} ${request.headers.cookie ?? '-'}`);
    const { localPort } = request.socket;
    if (request.url === '/1') {
      response.writeHead(302, { location: `http://localhost:${localPort}/2`, 'set-cookie': 'a=1' });
    } else if (request.url === '/2') {
      response.writeHead(302, { location: `http://127.0.0.1:${localPort}/3`, 'set-cookie': 'b=2' });
    }
    response.end('there');
  });
  assert.equal((await fetch('/1')).text(), 'there');
  assert.deepEqual(requests, ['127.0.0.1 -', 'localhost -', '127.0.0.1 a=1']);
  assert.equal(session.cookie(`http://localhost:${server.port}/`, 'b'), '2');
});

test('a redirect to itself that sets a cookie ends once the cookie is sent', async (t) => {
  const { server, fetch } = await served(t, (request, response) => {
    if (request.headers.cookie !== undefined) response.end('welcome');
    else response.writeHead(302, { location: '/', 'set-cookie': 'seen=1' }).end();
  });
  assert.equal((await fetch()).text(), 'welcome');
  assert.equal(server.requests.length, 2);
});

for (const [status, expected] of [
  [301, 'GET -'],
  [302, 'GET -'],
  [303, 'GET -'],
  [307, 'POST text/plain a=1'],
  [308, 'POST text/plain a=1'],
] as const) {
  test(`a POST that is answered ${status} is redirected as ${expected}`, async (t) => {
    const received: string[] = [];
    const { fetch } = await served(t, async (request, response) => {
      const { 'content-type': type = '-' } = request.headers;
      if (request.url === '/to') received.push(`${request.method} ${type} ${await bodyOf(request)}`.trim());
      else response.writeHead(status, { location: '/to' });
      response.end();
    });
    await fetch('/', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a=1' });
    assert.deepEqual(received, [expected]);
  });
}
