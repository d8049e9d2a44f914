import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromJson, extractFromXml } from '@extractus/feed-extractor';
import fc from 'fast-check';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { atomFeed } from '../../../src/output/feed/atom-feed.js';
import { type Feed, type FeedEntry, uuidUrn } from '../../../src/output/feed/feed.js';
import { jsonFeed } from '../../../src/output/feed/json-feed.js';
import { requireAtom } from './require-atom.js';

const entry = (id: string, more: Partial<FeedEntry> = {}): FeedEntry => ({
  ...{ id: uuidUrn(id), title: `Entry ${id}`, url: `https://photosocial.example/${id}?a=1&b=2` },
  ...{ published: '2026-01-02T03:04:05.678Z', text: 'one\ntwo', tags: ['photosocial/posts', 'mira'] },
  ...more,
});

const feed: Feed = {
  id: uuidUrn('feed'),
  title: 'Boats & “bread” <i>',
  selfUrl: 'https://extract.example/feeds/x.atom',
  homeUrl: 'https://extract.example/',
  emptySince: '2026-01-01T00:00:00.000Z',
  entries: [
    entry('a', { title: 'A <b> & "c"' }),
    entry('b', { url: null, tags: [], published: '2026-01-03T00:00:00.000Z' }),
  ],
};

const written = feed.entries.map((one) => [one.id, one.title, one.published, one.text, one.url ?? undefined]);

test('Atom is what its schema wants, and two readers find in it what was written', () => {
  const text = atomFeed(feed);
  requireAtom(text);
  assert.throws(() => requireAtom(text.replace(/<updated>.*/, '')));
  const { id, title, updated, entries = [] } = parseAtomFeed(text);
  assert.deepEqual([id, title?.value, updated], [feed.id, feed.title, '2026-01-03T00:00:00.000Z']);
  assert.deepEqual(
    entries.map((one) => [one.id, one.title?.value, one.published, one.content?.value, one.links?.[0]?.href]),
    written,
  );
  const other = extractFromXml(text, { descriptionMaxLen: 0 });
  assert.equal(other.title, feed.title);
  const rows = other.entries?.map(({ id, link, published }) => [id, link, published]);
  const expected = feed.entries.map(({ id, url, published }) => [id, url ?? '', published]);
  assert.deepEqual(rows, expected);
});

test('JSON Feed says the same to two readers', () => {
  const text = jsonFeed(feed);
  const { title, feed_url, home_page_url, items } = parseJsonFeed(text);
  assert.deepEqual([title, feed_url, home_page_url], [feed.title, feed.selfUrl, feed.homeUrl]);
  const rows = items?.map((one) => [one.id, one.title, one.date_published, one.content_text, one.url]);
  assert.deepEqual(rows, written);
  const other = extractFromJson(JSON.parse(text) as Record<string, unknown>);
  const names = (entries: readonly { id?: string; title?: string }[] = []) =>
    entries.map((one) => [one.id, one.title]);
  assert.deepEqual(names(other.entries), names(feed.entries));
});

test('a feed without entries and addresses is a document of Atom, changed when nothing had happened yet', () => {
  const text = atomFeed({ ...feed, selfUrl: null, homeUrl: null, entries: [] });
  requireAtom(text);
  assert.equal(parseAtomFeed(text).updated, feed.emptySince);
});

/** Any code points, half of a pair among them: the library's own kind makes a table of all first. Names of properties, too. */
const anyText = fc.oneof(
  fc.array(fc.nat(0x10_ff_ff)).map((points) => String.fromCodePoint(...points)),
  fc.string(),
);

test('whatever texts say, the document is well formed and holds them', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const xml = atomFeed({ ...feed, entries: [entry('a', { title: text, text, tags: [`t${text}`] })] });
      requireAtom(xml);
      JSON.parse(jsonFeed({ ...feed, entries: [entry('a', { title: text, text })] }));
    }),
    { numRuns: 50 },
  );
});

test('the name of a text is a UUID, and another one’s is another', () => {
  assert.match(uuidUrn('a'), /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(uuidUrn('a'), uuidUrn('a'));
  assert.notEqual(uuidUrn('a'), uuidUrn('b'));
});
