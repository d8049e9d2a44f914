import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { decodedBody, routeSource } from '../../lib/web/routes.js';
import { testSite } from '../support/site.js';

let home: string;
let dir: string;

before(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'routes-'));
  dir = path.join(home, 'pages');
  await mkdir(path.join(dir, 'deep'), { recursive: true });
  await writeFile(path.join(dir, 'deep', 'a.html'), '<p>from a file</p>');
  await writeFile(path.join(home, 'secret.txt'), 'not for reading');
  await symlink(path.join(home, 'secret.txt'), path.join(dir, 'link.html'));
});
after(() => rm(home, { recursive: true, force: true }));

const site = testSite();
const url = 'https://pages.example/one';

test('the first route whose condition holds answers, by exact URL or by pattern', async () => {
  const source = routeSource(dir, [
    { url, body: 'exact' },
    { pattern: '^https://pages\\.example/', body: 'pattern', status: 404 },
  ]);
  const session = source.open(site);
  assert.equal((await session.fetch({ url })).text(), 'exact');
  assert.equal((await session.fetch({ url })).text(), 'exact');
  const other = await session.fetch({ url: `${url}/more` });
  assert.equal(other.text(), 'pattern');
  assert.equal(other.status, 404);
});

test('method and form-decoded body distinguish requests to one URL', async () => {
  const source = routeSource(dir, [
    { url, method: 'POST', requestBody: '"cursor":"a b"', body: 'second page' },
    { url, method: 'POST', body: 'first page' },
    { url, method: 'GET', body: 'plain' },
  ]);
  const session = source.open(site);
  const post = (body: string) => session.fetch({ url, method: 'POST', body }).then((page) => page.text());
  assert.equal(await post('q=%7B%22cursor%22%3A%22a+b%22%7D'), 'second page');
  assert.equal(await post('q=%7B%7D'), 'first page');
  assert.equal((await session.fetch({ url })).text(), 'plain');
});

test('a body with broken percent signs is matched as it stands', () => {
  assert.equal(decodedBody('a=100%&b=%ff&c=%C3%A9+x'), 'a=100%&b=%ff&c=é x');
});

test('routes with one condition answer in order and the last one repeats', async () => {
  const source = routeSource(dir, [
    { url, body: '1' },
    { url, body: '2' },
    { url: `${url}/x`, body: 'x' },
  ]);
  const bodies: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    bodies.push((await source.open(site).fetch({ url })).text());
    bodies.push((await source.open(site).fetch({ url: `${url}/x` })).text());
  }
  assert.deepEqual(bodies, ['1', 'x', '2', 'x', '2', 'x']);
});

test('a request without a route is platform_unavailable and says which', async () => {
  const source = routeSource(dir, [{ url, body: '' }], { name: 'sample page' });
  await assert.rejects(source.open(site).fetch({ url: `${url}/2`, method: 'POST' }), {
    code: 'platform_unavailable',
    message: `There is no sample page for POST ${url}/2. All pages of a call must be there.`,
  });
});

test('headers come lower-case, without cookies, with Retry-After in seconds', async () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => now, sleep: async () => {}, alarm: () => () => {} };
  const headers = {
    'Content-Type': 'text/html',
    'Retry-After': 'Thu, 01 Jan 2026 00:00:42 GMT',
    'Set-Cookie': ['token=abc; Path=/', 'other=1; Domain=elsewhere.example'],
    Vary: ['a', 'b'],
  };
  const session = routeSource(dir, [{ url, status: 429, headers }], { clock }).open(site);
  const page = await session.fetch({ url });
  assert.deepEqual(page.headers, { 'content-type': 'text/html', 'retry-after': '42', vary: 'a, b' });
  assert.equal(page.body.byteLength, 0);
  assert.equal(session.cookie(url, 'token'), 'abc');
  assert.equal(session.cookie(url, 'other'), null);
  assert.equal(session.cookie('https://elsewhere.example/', 'token'), null);
});

test('cookies belong to one session', async () => {
  const source = routeSource(dir, [{ url, headers: { 'set-cookie': 'a=1' } }]);
  const first = source.open(site);
  await first.fetch({ url });
  assert.equal(first.cookie(url, 'a'), '1');
  assert.equal(source.open(site).cookie(url, 'a'), null);
});

test('a body may be a file below the directory, and the final URL another one', async () => {
  const source = routeSource(dir, [{ url, file: 'deep/a.html', finalUrl: `${url}/final` }]);
  const page = await source.open(site).fetch({ url });
  assert.equal(page.text(), '<p>from a file</p>');
  assert.equal(page.url, `${url}/final`);
});

for (const file of [
  '../secret.txt',
  'deep/../../secret.txt',
  '/etc/hostname',
  'link.html',
  '.',
  'deep',
  'a\0b',
]) {
  test(`a body file that is no file of the directory is refused: ${JSON.stringify(file)}`, async () => {
    const session = routeSource(dir, [{ url, file }]).open(site);
    await assert.rejects(session.fetch({ url }), { code: 'invalid_parameter', message: /is not in/ });
  });
}

test('a body file that is missing is invalid_parameter', async () => {
  const session = routeSource(dir, [{ url, file: 'gone.html' }]).open(site);
  await assert.rejects(session.fetch({ url }), { code: 'invalid_parameter', message: /cannot be read/ });
});

test('a body over the bound of the site is platform_changed, from a file and inline', async () => {
  const small = testSite({ maxBytes: 10 });
  for (const route of [
    { url, file: 'deep/a.html' },
    { url, body: 'eleven byte' },
  ]) {
    const session = routeSource(dir, [route]).open(small);
    await assert.rejects(session.fetch({ url }), {
      code: 'platform_changed',
      message: /larger than 10 bytes/,
    });
  }
});

test('an aborted session answers nothing', async () => {
  const controller = new AbortController();
  const session = routeSource(dir, [{ url, body: '' }]).open(site, controller.signal);
  const reason = new Error('stopped');
  controller.abort(reason);
  await assert.rejects(session.fetch({ url }), reason);
});

test('a route needs a URL or a pattern, not both', () => {
  assert.throws(() => routeSource(dir, [{ body: '' }]), TypeError);
  assert.throws(() => routeSource(dir, [{ url, pattern: 'x', body: '' }]), TypeError);
});
