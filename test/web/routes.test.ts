import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { routeSource } from '../../lib/web/routes.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const home = temporaryFolder();
const dir = path.join(home, 'pages');
before(async () => {
  await mkdir(path.join(dir, 'deep'), { recursive: true });
  await writeFile(path.join(dir, 'deep', 'a.html'), '<p>from a file</p>');
  await writeFile(path.join(home, 'secret.txt'), 'not for reading');
  await symlink(path.join(home, 'secret.txt'), path.join(dir, 'link.html'));
});

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

test('a request without a route is platform_unavailable and says which', async () => {
  const source = routeSource(dir, [{ url, body: '' }], { name: 'sample page' });
  await assert.rejects(source.open(site).fetch({ url: `${url}/2`, method: 'POST' }), {
    code: 'platform_unavailable',
    message: `There is no sample page for POST ${url}/2. All pages of a call must be saved.`,
  });
});

for (const file of [
  ...['../secret.txt', 'deep/../../secret.txt', '/etc/hostname', 'link.html'],
  ...['.', 'deep', 'a\0b'],
]) {
  test(`a body file outside of the directory is refused: ${JSON.stringify(file)}`, async () => {
    const session = routeSource(dir, [{ url, file }]).open(site);
    await assert.rejects(session.fetch({ url }), { code: 'invalid_parameter', message: /is not in/ });
  });
}

test('a body over the bound of the site is platform_changed, from a file and inline', async () => {
  const small = testSite({ maxBytes: 10 });
  for (const route of [
    { url, file: 'deep/a.html' },
    { url, body: 'eleven byte' },
  ]) {
    const session = routeSource(dir, [route]).open(small);
    const expected = { code: 'platform_changed', message: /larger than 10 bytes/ };
    await assert.rejects(session.fetch({ url }), expected);
  }
});
