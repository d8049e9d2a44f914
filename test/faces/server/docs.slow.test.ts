import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { load } from 'cheerio';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue } from '../../../lib/errors/extract-error.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { guideSections } from '../../../src/faces/server/docs/guides.js';
import { objectNames } from '../../../src/faces/server/openapi/schemas.js';
import { renderMarkdown } from '../../../src/output/site/markdown.js';
import { assertDescribed, docsBase } from '../../support/api-description.js';
import { testServer } from '../../support/server.js';

const server = await testServer({ pages: true });

async function read(url: string) {
  const { status, text, headers } = await server.ask(url);
  assert.equal(status, 200, url);
  return { $: load(text), text, headers };
}

describe('the documentation', () => {
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
      ...['/docs', '/docs/errors', '/docs/objects', '/docs/errors/rate_limited'],
      ...objectNames().map((name) => `/docs/objects/${name}`),
      ...endpoints.map((one) => `/docs/endpoints/${one.path}`),
      ...['create_job', 'list_usage'].map((name) => `/docs/operations/${name}`),
      ...['quickstart', 'hosting', 'settings'].map((name) => `/docs/guides/${name}`),
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
});

describe('the search', () => {
  test('reports no results, and shows a query as text', async () => {
    const { $ } = await read('/docs/search?q=%3Cb%3Ezzz');
    assert.equal($('main li').length, 0);
    assert.match($('main').text(), /Nothing found for “<b>zzz”/);
    for (const query of [`q=${'a'.repeat(201)}`, 'q=a&q=b']) {
      const refused = await server.ask(`/docs/search?${query}`);
      assert.equal(refused.status, 400);
      assert.match(refused.text, /Pass one q of at most 200 characters/);
    }
    for (const nothing of ['', '?q=', '?q=+']) {
      assert.match((await read(`/docs/search${nothing}`)).$('main').text(), /Enter words to find/);
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
      assert.deepEqual([$('main a[href="/docs"]').length, $('b').length], [1, 0]);
    }
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
    const asked = ['application/json', '*/*'].map((accept) => ['/nowhere', accept] as const);
    for (const [url, accept] of [['/v1/nowhere', browser] as const, ...asked])
      assert.equal((await open(url, accept)).json().error.code, 'endpoint_not_found', url);
  });
});

describe('Markdown', () => {
  test('that contains HTML shows it as text', () => {
    const { html } = renderMarkdown(
      "# T\n\nA <script>alert(1)</script> & `a<b`\n\n| a |\n| --- |\n| <b>&' |\n",
    );
    assert.doesNotMatch(html, /<script|<b>/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; <code>a&lt;b<\/code>/);
  });
});

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);

interface Operation {
  readonly operationId: string;
  readonly 'x-credits': number;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly content: Readonly<
    Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>
  >;
}

const { body } = (await server.ask('/openapi.json')) as unknown as {
  body: {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
    readonly components: Readonly<{ schemas: Record<string, object>; responses: Record<string, Response> }>;
  };
};
const examplesOf = (response: Response | undefined) => response?.content['application/json']?.examples ?? {};

// A folder inside the checkout, so that what is compiled there finds the packages.
const folder = path.join(packageRoot(), 'test', `.generated-${process.pid}`);
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'openapi.json');
writeFileSync(file, JSON.stringify(body));

describe('the machine-readable description', () => {
  test('is served in both places, the same', async () => {
    const one = await server.ask('/openapi.json');
    const two = await server.ask('/v1/openapi.json');
    assert.equal(one.status, 200);
    assert.equal(one.text, two.text);
    assert.deepEqual([body.openapi, body.info.version], ['3.1.0', '1.0.0']);
  });

  test('has every row of the table with its name, price and parameters', () => {
    for (const endpoint of endpoints) {
      const operation = body.paths[`/${endpoint.path}`]?.get;
      assert.ok(operation, endpoint.path);
      const names = Object.keys(endpoint.params);
      const mandatory = names.filter((name) => endpoint.params[name]?.safeParse(undefined).success === false);
      const required = operation.parameters.filter((one) => one.required).map(({ name }) => name);
      assert.deepEqual(
        [operation.operationId, operation['x-credits'], operation.parameters.map(({ name }) => name)],
        [endpoint.operation, endpoint.credits, names],
      );
      assert.deepEqual(required.sort(), mandatory.sort());
      const statuses = ['200', '400', '401', '403', '404', '429', '500', '502'];
      assert.deepEqual(Object.keys(operation.responses), statuses);
    }
  });

  test('has every object, including the one that no endpoint returns', () => {
    for (const { returns } of endpoints) assert.ok(body.components.schemas[String(returns.meta()?.id)]);
    assert.ok(body.components.schemas.shortvideo_hashtag);
  });

  test('has an example of every error that its statuses can carry', () => {
    const examples = Object.values(body.components.responses).flatMap((one) => Object.keys(examplesOf(one)));
    const expected = Object.entries(catalogue).filter(([, { status }]) =>
      [400, 401, 403, 404, 429, 500, 502].includes(status),
    );
    for (const [code] of expected) assert.ok(examples.includes(code), code);
  });

  test('shows what demo answers, and the example is valid', async () => {
    for (const endpoint of endpoints) {
      const { demo } = examplesOf(body.paths[`/${endpoint.path}`]?.get.responses['200']);
      assertDescribed('GET', `/v1/${endpoint.path}`, 200, demo?.value);
    }
  });

  test('passes the linter without a warning', async () => {
    const bin = path.join(path.dirname(resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
    const { stdout, stderr } = await run(process.execPath, [bin, 'lint', '--format=json', file], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    assert.deepEqual([totals.errors, totals.warnings, problems], [0, 0, []], stderr);
  });
});
