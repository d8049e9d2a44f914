import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, test } from 'node:test';
import { load } from 'cheerio';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue } from '../../../lib/errors/extract-error.js';
import { guideSections } from '../../../src/faces/server/docs/guides.js';
import { openApiDocument } from '../../../src/faces/server/openapi/document.js';
import { objectNames } from '../../../src/faces/server/openapi/schemas.js';
import { renderMarkdown } from '../../../src/output/site/markdown.js';
import { docsBase } from '../../support/api-description.js';
import { testServer } from '../../support/server.js';

const server = await testServer({ pages: true });

async function read(url: string) {
  const { status, text, headers } = await server.ask(url);
  assert.equal(status, 200, url);
  return { $: load(text), text, headers };
}

/** The cells of the table below a heading, row by row. */
function rowsUnder({ $ }: { $: ReturnType<typeof load> }, heading: string): string[][] {
  const table = $(`h2:contains("${heading}")`).first().nextAll('.table').first();
  return table
    .find('tbody tr')
    .toArray()
    .map((row) =>
      $(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text()),
    );
}

const shapeOf = ({ returns }: (typeof endpoints)[number]) =>
  Object.keys((returns as unknown as { shape: object }).shape);

const isTopLevel = (name: string) => !/[.[]/.test(name);

/** What a request carries, as the description of the API has it. */
interface Body {
  readonly content: { readonly 'application/json': { readonly schema: { readonly properties?: object } } };
}

describe('the documentation', () => {
  test('reads no guide again for the navigation of a page', async (t) => {
    await read('/docs/errors');
    const files: string[] = [];
    const { readFileSync } = fs;
    const noting = (...given: Parameters<typeof readFileSync>) => {
      files.push(String(given[0]));
      return readFileSync(...given);
    };
    t.mock.method(fs, 'readFileSync', noting as typeof readFileSync);
    syncBuiltinESMExports();
    try {
      await read('/docs/guides/batch');
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.deepEqual(
      files.filter((file) => file.endsWith('.md')).map((file) => file.split('/').at(-1)),
      ['batch.md'],
    );
  });

  test('has a page for every endpoint: parameters, price, an answer, its fields and its errors', async () => {
    for (const endpoint of endpoints) {
      const page = await read(`/docs/endpoints/${endpoint.path}`);
      const { $ } = page;
      assert.equal($('h1').text(), `${endpoint.title}: ${endpoint.path}`);
      const params = rowsUnder(page, 'Parameters').map(([name]) => name);
      assert.deepEqual(params, Object.keys(endpoint.params));
      assert.ok($('main').text().includes(`${endpoint.credits} credits`));
      const answer = $('pre').last();
      assert.deepEqual(Object.keys(JSON.parse(answer.text())), ['data', 'meta']);
      const isLong = answer.text().split('\n').length > 60;
      assert.equal(
        answer.parent().hasClass('tall'),
        isLong,
        'a long answer does not hide the fields below it',
      );
      assert.deepEqual(
        $('.tabs label')
          .toArray()
          .map((one) => $(one).text()),
        ['curl', 'JavaScript', 'Python', 'requests', 'public-extract'],
      );
      const fields = rowsUnder(page, 'Fields').map(([name = '']) => name);
      assert.deepEqual(fields.filter(isTopLevel), shapeOf(endpoint));
      const codes = rowsUnder(page, 'Errors').map(([code = '']) => code);
      assert.ok(codes.length > 2 && codes.every((code) => code in catalogue), endpoint.path);
    }
  });

  test('has a page for every object: every field, in order', async () => {
    for (const endpoint of endpoints) {
      const { $ } = await read(`/docs/objects/${endpoint.returns.meta()?.id}`);
      const names = $('tbody th')
        .toArray()
        .map((cell) => $(cell).text());
      assert.deepEqual(names.filter(isTopLevel), shapeOf(endpoint));
      for (const row of $('tbody tr').toArray())
        assert.ok($(row).find('td').eq(1).text().length > 3, $(row).text());
    }
    const { $ } = await read('/docs/objects/shortvideo_hashtag');
    assert.ok($('tbody tr').length > 3);
  });

  test('has a page for every operation beside the table: what it takes, where, and every response', async () => {
    const { paths } = (await openApiDocument('')) as unknown as {
      paths: Record<
        string,
        Record<string, { operationId: string; parameters?: object[]; requestBody?: Body; responses: object }>
      >;
    };
    let pages = 0;
    for (const [route, methods] of Object.entries(paths)) {
      if (endpoints.some(({ path: one }) => `/${one}` === route)) continue;
      for (const [method, { operationId, parameters = [], requestBody, responses }] of Object.entries(
        methods,
      )) {
        const page = await read(`/docs/operations/${operationId}`);
        pages += 1;
        assert.equal(page.$('h1').text(), `${method.toUpperCase()} /v1${route}`);
        assert.equal(page.$('.tabs .code').length, 4, 'samples in four forms');
        const body = Object.keys(requestBody?.content['application/json'].schema.properties ?? {}).length;
        const taken = parameters.length + body === 0 ? [] : rowsUnder(page, 'Parameters');
        assert.equal(taken.length, parameters.length + body, operationId);
        const answers = rowsUnder(page, 'Responses');
        assert.deepEqual(
          answers.map(([status]) => status),
          Object.keys(responses),
        );
        for (const cell of [...taken, ...answers].flat()) assert.ok(cell.length > 1, operationId);
      }
    }
    assert.ok(pages >= 17, `${pages}`);
    const { $ } = await read('/docs/operations/create_job');
    const words = $('main').text();
    for (const word of ['endpoint', 'inputs', 'webhook_url', '10,000', 'Idempotency-Key']) {
      assert.ok(words.includes(word), word);
    }
    assert.equal((await server.ask('/docs/operations/nothing')).status, 404);
  });

  test('leads from each page of its navigation to the one before and after, and shows where one is', async () => {
    const { $ } = await read('/docs');
    const listed = $('.docs-navigation details a')
      .toArray()
      .map((link) => String($(link).attr('href')));
    assert.ok(listed.length > 45 && new Set(listed).size === listed.length);
    for (const [at, path] of listed.entries()) {
      const page = await read(path);
      assert.equal(page.$('.neighbours [rel=prev]').attr('href'), listed[at - 1], path);
      assert.equal(page.$('.neighbours [rel=next]').attr('href'), listed[at + 1], path);
      assert.equal(page.$('.docs-navigation [aria-current]').attr('href'), path);
      for (const link of page.$('.contents a').toArray()) {
        assert.equal(page.$(`[id="${page.$(link).attr('href')?.slice(1)}"]`).length, 1, path);
      }
    }
    const code = await read('/docs/errors/rate_limited');
    assert.equal(code.$('.docs-navigation [aria-current]').attr('href'), '/docs/errors');
  });

  test('has the page that error.docs of every code leads to', async () => {
    for (const [code, { summary, next, status }] of Object.entries(catalogue)) {
      const { $ } = await read(`/docs/errors/${code}`);
      const text = $('main').text();
      for (const words of [code, summary, next, String(status)])
        assert.ok(text.includes(words.replaceAll('`', '')), `${code}: ${words}`);
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
      '/docs/guides/quickstart',
      '/docs/guides/hosting',
      '/docs/guides/settings',
      '/docs/errors/rate_limited',
    ];
    const links = new Set<string>();
    for (const page of pages) {
      const { $ } = await read(page);
      for (const element of $('[href], [src]').toArray()) {
        const link = $(element).attr('href') ?? $(element).attr('src') ?? '';
        assert.match(link, /^[/#]/, `${page}: nothing leads elsewhere, and no password is a mail address`);
        if (link.startsWith('/')) links.add(link);
      }
      assert.equal($('style, iframe, [style], [onclick], script:not([src])').length, 0, page);
    }
    assert.ok(links.delete('/') && links.delete('/dashboard'), 'the way to the dashboard');
    assert.equal((await server.ask('/')).status, 200);
    for (const link of links) assert.equal((await server.ask(link)).status, 200, link);
    for (const page of pages) assert.ok(page === '/docs' || links.has(page), page);
  });

  test('links of every guide lead somewhere, those to a section and a file as well', async () => {
    for (const name of guideSections.flatMap(({ guides }) => guides)) {
      const page = `/docs/guides/${name}`;
      const { $ } = await read(page);
      for (const element of $('main [href]').toArray()) {
        const link = new URL($(element).attr('href') ?? '', `${docsBase}${page}`);
        if (link.origin !== new URL(docsBase).origin) continue;
        const { status, text } = await server.ask(link.pathname);
        assert.equal(status, 200, `${page}: ${link}`);
        if (link.hash === '') continue;
        const section = load(text)(`[id="${decodeURIComponent(link.hash.slice(1))}"]`);
        assert.equal(section.length, 1, `${page}: ${link}`);
      }
    }
    const { text } = await server.ask('/docs/guides/weekly-batch.yaml');
    assert.ok((await server.ask('/docs/guides/action.md')).text.includes(text.trim()));
  });

  test('allows a browser nothing but its own style sheet and script', async () => {
    const { headers } = await read('/docs');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/);
    const { $ } = await read('/docs');
    const style = await server.ask(String($('link[rel=stylesheet]').attr('href')));
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
      assert.ok(String($('meta[name=description]').attr('content')).length > 10);
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
    assert.match(page, /\| `place_id` \|/);
    assert.match(page, /```sh curl\ncurl -sS "/);
  });

  test('has links of the page whose Markdown it is', async () => {
    const { $ } = await read('/docs/errors');
    const { text } = await server.ask('/docs/errors.md');
    for (const link of $('.written a').toArray()) assert.ok(text.includes(`](${$(link).attr('href')})`));
  });
});

describe('the search', () => {
  test('finds pages by words of their title and text, the nearest first', async () => {
    const { $ } = await read('/docs/search?q=create+inputs+webhook_url');
    assert.equal($('.docs-navigation [aria-current]').length, 0, 'the search is none of the listed pages');
    const first = $('.found a').first();
    assert.equal(first.text(), 'POST /v1/jobs');
    assert.equal($('input[name=q]').attr('value'), 'create inputs webhook_url');
  });

  test('shows the sentence that was found, without marks of tables or code, and leads to its section', async () => {
    for (const query of ['retry-after', 'cursor', 'webhook secret', 'postgresql', 'pandas']) {
      const { $ } = await read(`/docs/search?q=${encodeURIComponent(query)}`);
      const found = $('.found li').toArray();
      assert.ok(found.length > 0, query);
      for (const one of found) {
        assert.doesNotMatch($(one).find('p').text(), /```|---|\| |\*\*|\]\(/, query);
        const [path = '', id] = String($(one).find('a').attr('href')).split('#');
        if (id !== undefined) assert.equal((await read(path)).$(`[id="${id}"]`).length, 1, `${path}#${id}`);
      }
    }
  });

  test('says so when nothing is found, and shows a query as text', async () => {
    const { $ } = await read('/docs/search?q=%3Cb%3Ezzz');
    assert.equal($('main li').length, 0);
    assert.match($('main').text(), /Nothing found for “<b>zzz”/);
    for (const query of [`q=${'a'.repeat(201)}`, 'q=a&q=b']) {
      const refused = await server.ask(`/docs/search?${query}`);
      assert.equal(refused.status, 400);
      assert.match(refused.text, /Give one q of at most 200 characters/);
    }
    for (const nothing of ['', '?q=', '?q=+']) {
      assert.match((await read(`/docs/search${nothing}`)).$('main').text(), /Type the words to look for/);
    }
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

  test('is led from an address with a slash at its end to the page', async () => {
    for (const page of ['/docs', '/docs/endpoints/maps/search', '/status', '/nothing']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers } = await server.app.inject({ method, url: `${page}/?q=a%20b` });
        assert.deepEqual([statusCode, headers.location], [308, `${page}?q=a%20b`], page);
      }
    }
    const others = ['//evil.example/', '/docs//', '//docs/', '/v1/jobs/', '/v1/maps/search/'];
    for (const url of others) assert.ok((await server.ask(url)).status >= 400, url);
    assert.equal((await server.ask('/docs/', null, 'POST')).status, 404);
  });

  test('is told once what to do, and when to come back', async () => {
    const few = await testServer({ config: { demoRateLimit: 1 } });
    const asked = { url: '/tables/nothing.csv', headers: { accept: browser } };
    const missing = await few.app.inject(asked);
    assert.equal(load(missing.body)('main').text().split(catalogue.link_not_found.next).length, 2);
    const { statusCode, headers } = await few.app.inject(asked);
    assert.equal(statusCode, 429);
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
  });

  test('is shown a failure of this moment, which no cache may keep', async () => {
    for (const url of ['/nowhere', '/docs/search?q=a&q=b', '/docs/%ff', '/tables/nothing.csv']) {
      const { statusCode, headers } = await open(url, browser);
      assert.ok(statusCode >= 400, url);
      assert.equal(headers['cache-control'], 'no-store', url);
    }
    assert.equal((await open('/docs', browser)).headers['cache-control'], 'public, max-age=300');
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

describe('Markdown', () => {
  test('that holds HTML shows it as text', () => {
    const { html } = renderMarkdown(
      "# T\n\nA <script>alert(1)</script> & `a<b`\n\n| a |\n| --- |\n| <b>&' |\n",
    );
    assert.doesNotMatch(html, /<script|<b>/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; <code>a&lt;b<\/code>/);
  });

  test('takes no password for a mail address, and nothing for a link that is none', () => {
    const { html } = renderMarkdown(
      'See postgres://user:password@db.example.com:5432/x or `ann@example.com`.',
    );
    assert.doesNotMatch(html, /<a /);
  });

  test('puts the same in several languages into tabs, and what only follows each other not', () => {
    const fence = (info: string) => `\`\`\`${info}\nx\n\`\`\`\n`;
    const { html } = renderMarkdown(
      `${fence('js')}\n${fence('python')}\nText.\n\n${fence('sh')}\n${fence('json')}`,
    );
    const $ = load(html);
    assert.deepEqual(
      $('.tabs label')
        .toArray()
        .map((one) => $(one).text()),
      ['JavaScript', 'Python'],
    );
    assert.equal($('.tabs .code').length, 2);
    assert.equal($('.code').length, 4);
  });
});
