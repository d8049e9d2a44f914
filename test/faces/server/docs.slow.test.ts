import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'cheerio';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue } from '../../../lib/errors/extract-error.js';
import { objectNames } from '../../../src/faces/server/docs/object-pages.js';
import { Prose, Table } from '../../../src/faces/server/docs/parts.js';
import { openApiDocument } from '../../../src/faces/server/openapi/document.js';
import { testServer } from '../../support/server.js';

const server = await testServer({ pages: true });

async function read(url: string) {
  const { status, text, headers } = await server.ask(url);
  assert.equal(status, 200, url);
  return { $: load(text), text, headers };
}

describe('the documentation', () => {
  test('has a page for every endpoint: parameters, price, an example', async () => {
    for (const endpoint of endpoints) {
      const { $ } = await read(`/docs/endpoints/${endpoint.path}`);
      assert.equal($('h1').text(), endpoint.path);
      const names = $('table')
        .first()
        .find('tbody tr td:first-child')
        .toArray()
        .map((cell) => $(cell).text());
      assert.deepEqual(names, Object.keys(endpoint.params));
      assert.ok($('main').text().includes(`${endpoint.credits} credits`));
      const example = JSON.parse($('pre').last().text());
      assert.equal($('details').length, 3, 'samples in three languages');
      assert.deepEqual(Object.keys(example), ['data', 'meta']);
    }
  });

  test('has a page for every object: every field, in order', async () => {
    for (const { returns } of endpoints) {
      const { $ } = await read(`/docs/objects/${returns.meta()?.id}`);
      const names = $('tbody tr td:first-child')
        .toArray()
        .map((cell) => $(cell).text());
      const keys = Object.keys((returns as unknown as { shape: object }).shape);
      assert.deepEqual(
        names.filter((name) => !/[.[]/.test(name)),
        keys,
      );
      for (const row of $('tbody tr').toArray())
        assert.ok($(row).find('td').eq(2).text().length > 3, $(row).text());
    }
    const { $ } = await read('/docs/objects/shortvideo_hashtag');
    assert.ok($('tbody tr').length > 3);
  });

  test('has a page for every operation beside the table: what it takes, where, and every answer', async () => {
    const { paths } = (await openApiDocument('')) as unknown as {
      paths: Record<
        string,
        Record<string, { operationId: string; parameters?: object[]; responses: object }>
      >;
    };
    let pages = 0;
    for (const [route, methods] of Object.entries(paths)) {
      if (endpoints.some(({ path: one }) => `/${one}` === route)) continue;
      for (const [method, { operationId, parameters = [], responses }] of Object.entries(methods)) {
        const { $ } = await read(`/docs/operations/${operationId}`);
        pages += 1;
        assert.equal($('h1').text(), `${method.toUpperCase()} /v1${route}`);
        const rows = $('tbody tr').toArray();
        assert.equal($('details').length, 3, 'samples in three languages');
        const statuses = Object.keys(responses);
        const body = operationId === 'create_job' ? 5 : 0;
        assert.equal(rows.length, parameters.length + body + statuses.length, operationId);
        for (const row of rows) {
          for (const cell of $(row).find('td').toArray()) assert.ok($(cell).text().length > 1, $(row).text());
        }
        const codes = rows.slice(-statuses.length).map((row) => $(row).find('td').first().text());
        assert.deepEqual(codes, statuses);
      }
    }
    assert.equal(pages, 17);
    const { $ } = await read('/docs/operations/create_job');
    const words = $('main').text();
    for (const word of ['endpoint', 'inputs', 'webhook_url', '10,000', 'Idempotency-Key']) {
      assert.ok(words.includes(word), word);
    }
    assert.equal((await server.ask('/docs/operations/nothing')).status, 404);
  });

  test('has the page that error.docs of every code leads to', async () => {
    for (const [code, { summary, next, status }] of Object.entries(catalogue)) {
      const { $ } = await read(`/docs/errors/${code}`);
      const text = $('main').text();
      for (const words of [code, summary, next, String(status)])
        assert.ok(text.includes(words), `${code}: ${words}`);
    }
  });

  test('links lead somewhere, and nothing comes from elsewhere', async () => {
    const pages = [
      '/docs',
      '/docs/errors',
      '/docs/objects',
      ...objectNames().map((name) => `/docs/objects/${name}`),
      ...endpoints.map((one) => `/docs/endpoints/${one.path}`),
      '/docs/operations/create_job',
      '/docs/operations/list_usage',
      '/docs/errors/rate_limited',
    ];
    const links = new Set<string>();
    for (const page of pages) {
      const { $ } = await read(page);
      for (const element of $('[href], [src]').toArray()) {
        const link = $(element).attr('href') ?? $(element).attr('src') ?? '';
        assert.match(link, /^[/#]/, page);
        if (link.startsWith('/')) links.add(link);
      }
      assert.equal($('style, iframe, [style], [onclick]').length, 0, page);
      assert.equal($('script:not([src="/docs/script.js"])').length, 0, page);
    }
    assert.ok(links.delete('/') && links.delete('/dashboard'), 'the way to the dashboard');
    assert.equal((await server.ask('/')).status, 200);
    for (const link of links) assert.equal((await server.ask(link)).status, 200, link);
    for (const page of pages) assert.ok(page === '/docs' || links.has(page), page);
  });

  test('allows a browser nothing but its own style sheet and script', async () => {
    const { headers } = await read('/docs');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/);
    const style = await server.ask('/docs/style.css');
    assert.match(String(style.headers['content-type']), /^text\/css/);
    assert.match(style.text, /color-scheme: light dark/);
    assert.doesNotMatch(style.text, /url\(|@import/);
  });

  test('can be read by whoever does not see it: language, title, headings, a way past the links', async () => {
    for (const page of ['/docs', '/docs/errors', '/docs/endpoints/maps/place', '/docs/objects/maps_place']) {
      const { $ } = await read(page);
      assert.equal($('html').attr('lang'), 'en');
      assert.match($('title').text(), / · extract$/);
      assert.equal($('h1').length, 1);
      assert.equal($('main#content').length, 1);
      assert.equal($('a[href="#content"]').length, 1);
      for (const table of $('table').toArray()) assert.ok($(table).find('th[scope=col]').length > 1);
    }
  });
});

describe('the documentation as Markdown', () => {
  test('is there for every page that llms.txt lists, tables and samples included', async () => {
    const { text } = await server.ask('/llms.txt');
    const listed = [...text.matchAll(/\]\((\S+)\): \S/g)].map(([, link = '']) => new URL(link).pathname);
    assert.ok(listed.length > 80);
    for (const path of listed) {
      const { status, headers, text: markdown } = await server.ask(path);
      assert.equal(status, 200, path);
      assert.match(String(headers['content-type']), /^text\/markdown/);
      assert.match(markdown, /^# \S/, path);
      assert.doesNotMatch(markdown, /<(?:p|table|div|pre)\b/, path);
    }
    const { text: page } = await server.ask('/docs/endpoints/maps/place.md');
    assert.match(page, /\| `place_id` +\|/);
    assert.match(page, /```sh\ncurl -sS "/);
  });

  test('has links of the page whose Markdown it is', async () => {
    const { $ } = await read('/docs/errors');
    const { text } = await server.ask('/docs/errors.md');
    for (const link of $('main a').toArray()) assert.ok(text.includes(`](${$(link).attr('href')})`));
  });
});

describe('the search', () => {
  test('finds pages by words of their title and text, the nearest first', async () => {
    const { $ } = await read('/docs/search?q=create+inputs+webhook_url');
    const first = $('main li a').first();
    assert.equal(first.text(), 'POST /v1/jobs');
    assert.equal($('input[name=q]').attr('value'), 'create inputs webhook_url');
  });

  test('says so when nothing is found, and shows a query as text', async () => {
    const { $ } = await read('/docs/search?q=%3Cb%3Ezzz');
    assert.equal($('main li').length, 0);
    assert.match($('main').text(), /Nothing found for “<b>zzz”/);
    assert.equal((await server.ask(`/docs/search?q=${'a'.repeat(201)}`)).status, 400);
  });
});

describe('a browser that misses', () => {
  const open = (url: string, accept: string) =>
    server.app.inject({ method: 'GET', url, headers: { accept } });
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

  test('gets a page with ways on, under the status of the error', async () => {
    for (const url of ['/nowhere', '/docs/endpoints/maps/nothing', '/docs/errors/%3Cb%3E']) {
      const answer = await open(url, browser);
      assert.equal(answer.statusCode, 404, url);
      const $ = load(answer.body);
      assert.equal($('h1').text(), 'Page not found');
      assert.ok($('main a[href="/docs"]').length === 1);
      assert.equal($('b').length, 0);
    }
  });

  test('gets JSON from the API, as programs do everywhere', async () => {
    for (const [url, accept] of [
      ['/v1/nowhere', browser],
      ['/nowhere', 'application/json'],
      ['/nowhere', '*/*'],
    ] as const) {
      const answer = await open(url, accept);
      assert.equal(answer.json().error.code, 'endpoint_not_found');
    }
  });

  test('finds a sign for its tab', async () => {
    for (const url of ['/favicon.svg', '/favicon.ico']) {
      assert.match(String((await server.ask(url)).headers['content-type']), /^image\/svg\+xml/);
    }
  });
});

describe('HTML', () => {
  test('of what is put into a page is escaped, once', () => {
    const text = renderToStaticMarkup(createElement(Table, { head: ['"'], rows: [["<b>&'"], [0]] }));
    assert.ok(text.includes('<th scope="col">&quot;</th>'));
    assert.ok(text.includes('<tr><td>&lt;b&gt;&amp;&#x27;</td></tr><tr><td>0</td></tr>'));
  });

  test('of prose has paragraphs, lists and code, and nothing else', () => {
    assert.equal(
      renderToStaticMarkup(
        createElement(Prose, {
          markdown: 'One `a<b` two\nlines.\n\n- first\n- `second`\n\n<script>alert(1)</script>',
        }),
      ),
      '<p>One <code>a&lt;b</code> two lines.</p><ul><li>first</li><li><code>second</code></li></ul><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
  });
});
