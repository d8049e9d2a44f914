import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { type Case, casesOf } from '../../lib/samples.js';
import { routeSource } from '../../lib/web/routes.js';
import { altered } from '../support/knockout.js';
import { honestPages } from './honest-pages.js';

/** Values that replace one place of the data; `undefined` removes it. */
const instead = [
  ...[undefined, undefined, undefined, null, '', '0', ' ', 'text', -1, 0, 1.5, 1e300, true],
  ...[[], {}, [[]], [null], ['x'], { a: [{}] }, '\ud800', '9'.repeat(40)],
];

/** Parts of a page that can be removed. */
const parts: readonly RegExp[] = [
  /<[a-z][^>]*>/g,
  /<\/[a-z]+>/g,
  /\s[a-z-]+="[^"]*"/g,
  /(?<=>)[^<>]+(?=<)/g,
  /<([a-z0-9]+)[^>]*>[^<]*<\/\1>/g,
  /<(section|ul|li|div|article)\b[\s\S]{0,900}?<\/\1>/g,
];

/** Every place of a tree that holds a value. */
function places(tree: unknown, path: readonly string[] = []): (readonly string[])[] {
  const ownPath = path.length === 0 ? [] : [path];
  if (tree === null || typeof tree !== 'object') return ownPath;
  return [...ownPath, ...Object.entries(tree).flatMap(([key, value]) => places(value, [...path, key]))];
}

function changed(json: string, pick: number, value: unknown): string {
  const tree: unknown = JSON.parse(json);
  const all = places(tree);
  const path = all[pick % Math.max(1, all.length)];
  if (path === undefined) return json;
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], tree);
  const last = path.at(-1) ?? '';
  if (value !== undefined) (holder as Record<string, unknown>)[last] = value;
  // A later place of a list must not move forward.
  else if (Array.isArray(holder)) holder[Number(last)] = null;
  else delete (holder as Record<string, unknown>)[last];
  return JSON.stringify(tree);
}

/** Returns a page or answer with one value replaced in each block of its data; unchanged if there is no data. */
function spoilt(text: string, pick: number, value: unknown): string {
  const [, guard = '', data] = /^(\)\]\}'\n|for \(;;\);)?([[{].*)$/m.exec(text) ?? [];
  if (data !== undefined && text.startsWith(guard + data)) {
    return guard + changed(data, pick, value) + text.slice(guard.length + data.length);
  }
  return text.replace(
    /(<script[^>]*json[^>]*>)([[{].*?)(<\/script>)/gs,
    (_, open: string, json: string, close: string) => open + changed(json, pick, value) + close,
  );
}

/** The page without one of its parts. */
function without(html: string, part: RegExp, pick: number): string {
  const matches = [...html.matchAll(part)];
  const one = matches[pick % Math.max(1, matches.length)];
  return one === undefined ? html : html.slice(0, one.index) + html.slice(one.index + one[0].length);
}

/** What a page says in words: without one of its values it is the same or unknown, never something else. */
const words = ['username', 'name', 'biography', 'shortcode', 'media_type', 'caption', 'text', 'timestamp'];

function assertSameOrUnknown(full: unknown, partial: unknown): void {
  const [before = [], after = []] = [full, partial].map((data) => [data].flat() as Record<string, unknown>[]);
  for (const item of after) {
    const same = before.find(({ shortcode }) => shortcode === item.shortcode);
    // If a post was removed from a list, a later one has moved up into the page.
    for (const word of same === undefined ? [] : words) {
      assert.equal(item[word] ?? same?.[word], same?.[word], word);
    }
  }
}

const pick = fc.nat(100_000);

describe('a page that lacks something, or has something else in its place', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: is an answer by the contract, or a named outcome`, async () => {
      const cases = (await casesOf(endpoint)).filter(({ expect }) => expect !== undefined);
      const readCase = (one: Case, change: (text: string) => string) =>
        honestPages(endpoint, one, altered(routeSource(sampleFiles(endpoint.path), one.pages), change));
      const [of, one] = [{ seed: 4711, numRuns: 120 }, fc.constantFrom(...cases)];
      await fc.assert(
        fc.asyncProperty(one, pick, fc.constantFrom(...instead), async (one, at, value) => {
          const partial = await readCase(one, (text) => spoilt(text, at, value));
          if (
            !/^photosocial\/(profile|posts?)$/.test(endpoint.path) ||
            value !== undefined ||
            partial === null
          )
            return;
          assertSameOrUnknown((await readCase(one, (text) => text))?.[0], partial[0]);
        }),
        of,
      );
      await fc.assert(
        fc.asyncProperty(one, fc.constantFrom(...parts), pick, async (one, part, at) => {
          const partial = await readCase(one, (text) => without(text, part, at));
          assert.doesNotMatch(JSON.stringify(partial), /\*\*\*\*/, 'asterisks are no value');
        }),
        of,
      );
    });
  }

  test('a profile cut off anywhere is complete, or an error', async () => {
    const profile = endpoints.find(({ path }) => path === 'pronetwork/profile') as Endpoint;
    const one = (await casesOf(profile)).find(({ expect }) => expect?.[0] === 'rich.json') as Case;
    const source = () => routeSource(sampleFiles(profile.path), one.pages);
    const full = await honestPages(profile, one, source());
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (part) => {
        const cut = (html: string) => html.slice(0, Math.floor(html.length * part));
        const partial = await honestPages(profile, one, altered(source(), cut));
        if (partial !== null) assert.deepEqual(partial, full);
      }),
      { seed: 4712, numRuns: 150 },
    );
  });
});
