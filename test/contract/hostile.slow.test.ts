import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { platforms } from '../../lib/platforms.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf } from '../../lib/samples.js';
import { page } from '../../lib/web/page.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { pagesOf } from '../support/cases.js';
import { honestPages } from './honest-pages.js';

/** What a hostile or broken page may look like, made from a good one. */
const attacks: Record<string, (good: Buffer) => Buffer> = {
  'cut off in the middle': (good) => good.subarray(0, Math.floor(good.length / 2)),
  'cut off before its end': (good) => good.subarray(0, good.length - 20),
  'cut off at its beginning': (good) => good.subarray(0, 10),
  'only white space': () => Buffer.from(' \n\t '),
  'NUL after every tag': (good) => text(good, (html) => html.replaceAll('>', '>\0')),
  'NUL in every text': (good) => text(good, (html) => html.replaceAll('e', 'e\\u0000')),
  'lone surrogates in every text': (good) => text(good, (html) => html.replaceAll('a', '\\ud800')),
  'UTF-16 in place of UTF-8': (good) => Buffer.from(good.toString('utf8'), 'utf16le'),
  'Latin-1 in place of UTF-8': (good) => Buffer.from(`é${good.toString('utf8')}é`, 'latin1'),
  'random bytes': (good) => Buffer.from(good.map((byte, index) => (byte * 31 + index * 17) & 255)),
  'deep nesting in its data': (good) =>
    text(good, (html) => html.replace(/\{"/, () => `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)},"`)),
  'deep nesting of elements': (good) =>
    text(good, (html) => html.replace(/<body[^>]*>/, (body) => body + '<div>'.repeat(50_000))),
  'keys of every object’s machinery': (good) =>
    text(good, (html) =>
      html.replaceAll('{"', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"'),
    ),
  'every number a text': (good) => text(good, (html) => html.replace(/:(\d+)([,}])/g, ':"$1"$2')),
  'every number huge': (good) => text(good, (html) => html.replace(/:(\d+)([,}])/g, ':1e999$2')),
  'every number negative': (good) => text(good, (html) => html.replace(/([:[,])(\d+)(?=[,}\]])/g, '$1-$2')),
  'every list an object': (good) => text(good, (html) => html.replaceAll('[', '{"0":').replaceAll(']', '}')),
  'every text a list': (good) => text(good, (html) => html.replace(/:"([^"\\<>]*)"/g, ':["$1"]')),
  'every value null': (good) => text(good, (html) => html.replace(/:("[^"\\<>]*"|-?\d+)/g, ':null')),
  'an empty object as all its data': (good) =>
    text(good, (html) => html.replace(/(<script[^>]*>)[^<]*/g, '$1{}')),
};

function text(good: Buffer, change: (html: string) => string): Buffer {
  return Buffer.from(change(good.toString('utf8')));
}

function attacked(source: PageSource, attack: (good: Buffer) => Buffer): PageSource {
  return {
    open(site, signal) {
      const visit = source.open(site, signal);
      return {
        cookie: (url, name) => visit.cookie(url, name),
        end: () => undefined,
        async fetch(request) {
          const response = await visit.fetch(request);
          return page(response.url, response.status, response.headers, attack(Buffer.from(response.body)));
        },
      };
    },
    close: () => source.close(),
  };
}

const firsts = new Set(platforms.map((platform) => endpoints.find((one) => one.platform === platform)));

for (const endpoint of endpoints) {
  // Further cases, read by other routes, are spoilt at random (`spoilt.slow.test.ts`).
  const cases = (await casesOf(endpoint)).filter((one) => one.expect !== undefined).slice(0, 2);
  for (const [name, attack] of Object.entries(attacks)) {
    test(`${endpoint.path}: a page with ${name} is an honest outcome`, async () => {
      for (const one of cases) {
        await honestPages(
          endpoint,
          one,
          attacked(routeSource(sampleFiles(endpoint.path), one.pages), attack),
        );
      }
      assert.equal(({} as { polluted?: number }).polluted, undefined);
    });
  }

  // One endpoint of each platform: its size is looked at before anything of the endpoint is.
  if (!firsts.has(endpoint)) continue;
  test(`${endpoint.path}: a page of 50 MB is refused as changed, unread`, async () => {
    const [one] = cases;
    assert.ok(one);
    const pattern = [{ pattern: '.', body: 'x'.repeat(50 * 1024 * 1024) }];
    await assert.rejects(pagesOf(endpoint, one, routeSource(sampleFiles(endpoint.path), pattern), 1), {
      code: 'platform_changed',
    });
  });
}
