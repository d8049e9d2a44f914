import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnSite, redirectTarget, type Target } from '../../lib/web/redirects.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';

const hosts = ['www.site.example', '.media.example'];

function target(url: string, method: 'GET' | 'POST' = 'GET'): Target {
  return { url: new URL(url), method, headers: { accept: '*/*', cookie: 'own=1' }, body: undefined };
}

const from = 'https://www.site.example/a?b';

for (const [hostname, expected] of [
  ['www.site.example', true],
  ['site.example', false],
  ['x.www.site.example', false],
  ['media.example', true],
  ['a.b.media.example', true],
  ['evilmedia.example', false],
  ['media.example.evil.example', false],
  ['www.site.example.', false],
] as const) {
  test(`${hostname} is ${expected ? 'on' : 'off'} the site`, () => {
    assert.equal(isOnSite(hostname, hosts), expected);
  });
}

for (const [location, expected] of [
  ['/c', 'https://www.site.example/c'],
  ['c', 'https://www.site.example/c'],
  ['?d', 'https://www.site.example/a?d'],
  ['//cdn.media.example/x', 'https://cdn.media.example/x'],
  ['https://www.site.example:443/x', 'https://www.site.example/x'],
  ['https://evil.example@www.site.example/x', 'https://evil.example@www.site.example/x'],
  ['HTTPS://WWW.SITE.EXAMPLE/x', 'https://www.site.example/x'],
  ['http://www.site.example/c', null],
  ['https://www.site.example:8443/c', null],
  ['https://www.site.example@evil.example/', null],
  ['https://evil.example/', null],
  ['\\\\evil.example/', null],
  ['https://127.0.0.1/', null],
  ['https://[::ffff:7f00:1]/', null],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['data:text/html,x', null],
  ['https://', null],
  [undefined, null],
] as const) {
  test(`a redirect to ${location} leads to ${expected ?? 'nowhere'}`, () => {
    assert.equal(redirectTarget(target(from), 302, location, hosts)?.url.href ?? null, expected);
  });
}

test('from http a redirect may stay on http and may rise to https', () => {
  const plain = target('http://www.site.example:8080/');
  assert.equal(redirectTarget(plain, 302, '/x', hosts)?.url.href, 'http://www.site.example:8080/x');
  assert.equal(redirectTarget(plain, 302, 'https://www.site.example/', hosts)?.url.protocol, 'https:');
  assert.equal(redirectTarget(plain, 302, 'http://www.site.example:9090/', hosts), null);
});

for (const status of [200, 201, 300, 304, 305, 306, 400]) {
  test(`${status} is not a redirect, even with a location`, () => {
    assert.equal(redirectTarget(target(from), status, '/c', hosts), null);
  });
}

for (const [status, method] of [
  [301, 'GET'],
  [302, 'GET'],
  [303, 'GET'],
  [307, 'POST'],
  [308, 'POST'],
] as const) {
  test(`${status} after a POST becomes a ${method}`, () => {
    const post: Target = { ...target(from, 'POST'), headers: { 'content-type': 'text/plain' }, body: 'x' };
    const next = redirectTarget(post, status, '/c', hosts);
    assert.equal(next?.method, method);
    assert.equal(next?.body, method === 'POST' ? 'x' : undefined);
    assert.deepEqual(next?.headers, method === 'POST' ? { 'content-type': 'text/plain' } : {});
  });
}

test('the reader’s cookies are only sent to their host', () => {
  assert.equal(redirectTarget(target(from), 302, '/c', hosts)?.headers.cookie, 'own=1');
  const other = redirectTarget(target(from), 302, 'https://media.example/', hosts);
  assert.deepEqual(other?.headers, { accept: '*/*' });
});

test('five redirects are followed and the sixth is the answer', async (t) => {
  const server = await loopback(t, (request, response) => {
    const step = Number(request.url?.slice(1));
    response.writeHead(302, { location: `/${step + 1}` }).end('moved');
  });
  const page = await network(t)
    .open(testSite())
    .fetch({ url: `${server.origin}/0` });
  assert.equal(page.status, 302);
  assert.equal(page.url, `${server.origin}/5`);
  assert.equal(page.headers.location, '/6');
  assert.equal(page.text(), 'moved');
  assert.equal(server.requests.length, 6);
});

test('a redirect off the site is the answer, and the other host gets no request', async (t) => {
  const other = await loopback(t, (_request, response) => response.end('secret'));
  const server = await loopback(t, (_request, response) => {
    response.writeHead(302, { location: `${other.origin}/login` }).end();
  });
  const site = testSite({ hosts: ['127.0.0.1'] });
  const page = await network(t).open(site).fetch({ url: server.origin });
  assert.equal(page.status, 302);
  assert.equal(page.headers.location, `${other.origin}/login`);
  assert.equal(other.requests.length, 0);
});

test('a redirect between hosts of the site is followed, each host getting its own cookies', async (t) => {
  const requests: string[] = [];
  const server = await loopback(t, (request, response) => {
    requests.push(`${request.headers.host?.split(':')[0]} ${request.headers.cookie ?? '-'}`);
    const { port } = server;
    if (request.url === '/1') {
      response.writeHead(302, { location: `http://localhost:${port}/2`, 'set-cookie': 'a=1' });
    } else if (request.url === '/2') {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/3`, 'set-cookie': 'b=2' });
    }
    response.end('there');
  });
  const session = network(t).open(testSite());
  const page = await session.fetch({ url: `${server.origin}/1` });
  assert.equal(page.text(), 'there');
  assert.deepEqual(requests, ['127.0.0.1 -', 'localhost -', '127.0.0.1 a=1']);
  assert.equal(session.cookie(`http://localhost:${server.port}/`, 'b'), '2');
});

test('a redirect to itself that sets a cookie ends once the cookie is sent', async (t) => {
  const server = await loopback(t, (request, response) => {
    if (request.headers.cookie === undefined) {
      response.writeHead(302, { location: '/', 'set-cookie': 'seen=1' }).end();
    } else response.end('welcome');
  });
  const page = await network(t).open(testSite()).fetch({ url: server.origin });
  assert.equal(page.text(), 'welcome');
  assert.equal(server.requests.length, 2);
});

for (const [status, expected] of [
  [303, 'GET /to -'],
  [307, 'POST /to a=1'],
] as const) {
  test(`a POST is redirected by ${status} as “${expected}”`, async (t) => {
    let received = '';
    const server = await loopback(t, async (request, response) => {
      const body = await bodyOf(request);
      if (request.url === '/to') received = `${request.method} ${request.url} ${body || '-'}`;
      else response.writeHead(status, { location: '/to' });
      response.end();
    });
    await network(t).open(testSite()).fetch({ url: server.origin, method: 'POST', body: 'a=1' });
    assert.equal(received, expected);
  });
}
