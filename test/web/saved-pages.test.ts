import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { page } from '../../lib/web/page.js';
import type { Page, PageRequest, PageSource } from '../../lib/web/page-source.js';
import { savePages } from '../../lib/web/save-pages.js';
import { fromSavedPages } from '../../lib/web/saved-pages.js';
import { loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const home = temporaryFolder();
let folders = 0;
const folder = () => path.join(home, `pages${++folders}`);
/** A folder whose list of saved pages is this text. */
const folderWith = async (text: string) => {
  const dir = folder();
  await mkdir(dir);
  await writeFile(path.join(dir, 'pages.ndjson'), text);
  return dir;
};
/** Opens the saved pages of a folder. */
const replayed = (dir: string) => fromSavedPages(dir).open(testSite());

const html = { 'content-type': 'text/html' };

/** A source that gives the given pages. */
function source(give: (request: PageRequest) => Page | Promise<Page>): PageSource {
  return {
    open: () => ({ fetch: async (request) => give(request), cookie: () => 'the cookie', end: () => {} }),
    close: async () => {},
  };
}

const records = async (dir: string) =>
  (await readFile(path.join(dir, 'pages.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('saved pages are replayed without the network, byte for byte', async (t) => {
  const dir = folder();
  const bytes = Buffer.from([0, 0xff, 0xfe, 10, 13, 0x80]);
  const server = await loopback(t, (request, response) => {
    if (request.url === '/old') response.writeHead(302, { location: '/new?a=1' }).end();
    else if (request.url === '/bytes') response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    else if (request.url === '/busy') {
      response
        .writeHead(429, { ...html, 'retry-after': '30', 'set-cookie': 'secret=1', 'x-other': 'y' })
        .end('slow');
    } else response.writeHead(404, { 'content-type': 'application/json; charset=utf-8' }).end('{"ü":1}');
  });
  const requests: PageRequest[] = [
    { url: `${server.origin}/old` },
    { url: `${server.origin}/bytes` },
    { url: `${server.origin}/api`, method: 'POST', body: 'q=%7B%22a%22%3A1%7D&n=1+2' },
    { url: `${server.origin}/busy` },
  ];
  const ask = async (from: PageSource) => {
    const session = from.open(testSite());
    const pages: Page[] = [];
    for (const request of requests) pages.push(await session.fetch(request));
    return pages.map(({ url, status, headers, body }) => [url, status, headers['content-type'], body]);
  };
  const original = await ask(savePages(network(t), dir));
  const requestsBefore = server.requests.length;
  assert.deepEqual(await ask(fromSavedPages(dir)), original);
  assert.equal(server.requests.length, requestsBefore);

  const lines = await records(dir);
  const keys = 'url method requestBody at status headers finalUrl file sha256';
  assert.equal(Object.keys(lines[0] ?? {}).join(' '), keys);
  for (const { at, file, sha256 } of lines) {
    assert.equal(new Date(String(at)).toISOString(), at);
    const bytes = await readFile(path.join(dir, String(file)));
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
  }
  assert.deepEqual(
    lines.map(({ file }) => file),
    ['shortvideo-0001.json', 'shortvideo-0002.bin', 'shortvideo-0003.json', 'shortvideo-0004.html'],
  );
  assert.deepEqual(lines[3]?.headers, { 'content-type': 'text/html', 'retry-after': '30' });
  assert.equal(lines[0]?.finalUrl, `${server.origin}/new?a=1`);
  assert.equal(lines[2]?.requestBody, 'q=%7B%22a%22%3A1%7D&n=1+2');
  assert.doesNotMatch(JSON.stringify(lines), /secret/);
});

test('a request without an answer is saved with its error, and fails alike when it is replayed', async () => {
  const dir = folder();
  let requests = 0;
  const failing = source(() => {
    requests += 1;
    if (requests === 1) throw new ExtractError('platform_timeout', 'a.example could not be read.');
    if (requests === 2) throw new ExtractError('platform_blocked', 'Cooling down; nothing was asked.');
    return page('https://a.example/b', 200, { 'bdturing-verify': '{"visitor":"secret"}' }, Buffer.from('b'));
  });
  const session = savePages(failing, dir).open(testSite());
  const ask = { url: 'https://a.example/a' };
  await assert.rejects(session.fetch(ask), { code: 'platform_timeout' });
  await assert.rejects(session.fetch(ask), { code: 'platform_blocked' });
  await session.fetch({ url: 'https://a.example/b' });
  assert.equal((await records(dir)).length, 2);

  const again = replayed(dir);
  await assert.rejects(again.fetch(ask), {
    code: 'platform_timeout',
    message: 'a.example could not be read. Try again in a moment.',
  });
  const { headers } = await again.fetch({ url: 'https://a.example/b' });
  assert.equal(headers['bdturing-verify'], '');
  assert.doesNotMatch(JSON.stringify(await records(dir)), /secret/);
});

const hostile = [
  'https://a.example/../../../../etc/passwd',
  'https://a.example/%2e%2e%2f%00/\u202e?file=/etc/passwd&x=<script>',
  `https://a.example/${'long'.repeat(3000)}`,
  'https://a.example/CON?"|*:\\',
  'https://a.example/new\nline',
];

test('any URL is saved under a plain file name, and found again', async () => {
  const dir = folder();
  const headers = { 'content-type': '../../x; html' };
  const pages = source(({ url }) => page('https://a.example/', 200, headers, Buffer.from(url)));
  const saving = savePages(pages, dir);
  for (const url of hostile) await saving.open(testSite()).fetch({ url });
  const names = hostile.map((_, index) => `shortvideo-000${index + 1}.bin`);
  assert.deepEqual((await readdir(dir)).sort(), ['pages.ndjson', ...names].sort());
  const again = replayed(dir);
  for (const url of hostile) assert.equal((await again.fetch({ url })).text(), url);
});

test('two programs that save into one directory overwrite nothing', async () => {
  const dir = folder();
  const saving = (name: string) => {
    const pages = source(({ url }) => page(url, 200, html, Buffer.from(`${name} ${url}`)));
    return savePages(pages, dir).open(testSite());
  };
  const [one, two] = [saving('one'), saving('two')];
  await Promise.all(
    [1, 2, 3].flatMap((n) => [one, two].map((session) => session.fetch({ url: `https://a.example/${n}` }))),
  );
  const names = (await readdir(dir)).filter((name) => name.endsWith('.html'));
  assert.equal(names.length, 6);
  const bodies = await Promise.all(names.map((name) => readFile(path.join(dir, name), 'utf8')));
  assert.equal(new Set(bodies).size, 6);
  await saving('three').fetch({ url: 'https://a.example/4' });
  assert.ok((await readdir(dir)).includes('shortvideo-0007.html'));
});

test('equal requests are answered in order, and the last answer repeats', async () => {
  const dir = folder();
  let count = 0;
  const pages = source(({ url }) => page(url, 200, html, Buffer.from(String(++count))));
  const saving = savePages(pages, dir);
  const url = 'https://a.example/';
  for (let index = 0; index < 2; index += 1) await saving.open(testSite()).fetch({ url });
  await saving.open(testSite()).fetch({ url, method: 'POST', body: 'a.c' });
  const again = fromSavedPages(dir);
  const ask = async (request: PageRequest) => (await again.open(testSite()).fetch(request)).text();
  assert.deepEqual([await ask({ url }), await ask({ url }), await ask({ url })], ['1', '2', '2']);
  assert.equal(await ask({ url, method: 'POST', body: 'a.c' }), '3');
  for (const body of ['abc', 'a.c.'])
    await assert.rejects(ask({ url, method: 'POST', body }), { code: 'platform_unavailable' });
});

test('a request that was not saved is platform_unavailable and says so', async () => {
  await assert.rejects(replayed(await folderWith('\n')).fetch({ url: 'https://a.example/x' }), {
    code: 'platform_unavailable',
    message: 'There is no saved page for GET https://a.example/x. All pages of a call must be saved.',
  });
});

test('a directory without saved pages is invalid_parameter', async () => {
  const dir = folder();
  const expected = {
    code: 'invalid_parameter',
    message: `There are no saved pages in ${dir}: no pages.ndjson. Save some with --save-pages first.`,
  };
  assert.throws(() => fromSavedPages(dir), expected);
  await mkdir(dir);
  assert.throws(() => fromSavedPages(dir), expected);
});

const url = 'https://a.example/';
const line = {
  ...{ url, method: 'GET', requestBody: null },
  ...{ status: 200, headers: {}, finalUrl: url, file: 'a.html' },
};

for (const [what, text] of [
  ['not JSON', '{"url":'],
  ['a list', '[]'],
  ['without a file', JSON.stringify({ ...line, file: undefined })],
  ['of another method', JSON.stringify({ ...line, method: 'DELETE' })],
  ['with a status that is none', JSON.stringify({ ...line, status: '200' })],
] as const) {
  test(`a line that is ${what} is invalid_parameter and named by number`, async () => {
    const dir = await folderWith(`${JSON.stringify(line)}\n\n${text}\n`);
    assert.throws(() => fromSavedPages(dir), { code: 'invalid_parameter', message: /^Line 3 of / });
  });
}

for (const file of ['../outside.html', '/etc/passwd', 'x/../../outside.html']) {
  test(`a saved line cannot lead out of the directory: ${file}`, async () => {
    await writeFile(path.join(home, 'outside.html'), 'outside');
    const dir = await folderWith(JSON.stringify({ ...line, file }));
    await assert.rejects(replayed(dir).fetch({ url }), { code: 'invalid_parameter' });
  });
}

test('hostile keys of a saved line are ignored', async () => {
  const keys = '"headers":{"__proto__":"x"},"__proto__":{"url":"y"}';
  const dir = await folderWith(JSON.stringify(line).replace('"headers":{}', keys));
  await writeFile(path.join(dir, 'a.html'), 'a');
  assert.equal((await replayed(dir).fetch({ url })).text(), 'a');
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test('a directory that cannot be written is invalid_parameter', async () => {
  const dir = folder();
  await writeFile(dir, 'a file in the way');
  const pages = source(({ url }) => page(url, 200, html, Buffer.of()));
  const saving = savePages(pages, dir);
  await assert.rejects(saving.open(testSite()).fetch({ url: 'https://a.example/' }), {
    code: 'invalid_parameter',
    message: `Pages cannot be saved in ${dir} (EEXIST). Name a folder that can be written.`,
  });
});
