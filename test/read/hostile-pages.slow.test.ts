import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf, identityOf } from '../../lib/samples.js';
import { page } from '../../lib/web/page.js';
import { routeSource } from '../../lib/web/routes.js';
import { wrapFetches } from '../../lib/web/wrap-fetches.js';
import { stoppedClock } from '../support/cases.js';
import { fixturesOf } from '../support/fixtures.js';

/** Characters of each hostile text. The slowest are repeated at the size of the largest page, 8 MB. */
const [length, longest, longestOnes] = [64 * 1024, 8 * 1024 * 1024, 3];
/** How many times as long as parsing as much JSON a reader may take: 100 ms a megabyte. */
const most = 10;

/** What opens something and never closes it. */
const units = [
  '<!--',
  '<!doctype',
  '<code>',
  '<code ',
  '<script>',
  '<title',
  '<a b="',
  '{"a":',
  '[',
  '"\\',
  '&',
  ' ',
  // Markers that readers search for, repeated.
  ' id="__FRONTITY_CONNECT_STATE__"',
  '<a id="__UNIVERSAL_DATA_FOR_REHYDRATION__">',
  '"compMap":{',
  '"adp_PolarisProfilePostsQueryRelayPreloader_',
  '<form action="https://consent.google.com/save">',
  '<section data-section="educationsDetails" ',
  // What is whole, and far too much of it.
  '<p>x</p>',
  '<li>',
  '<meta property="og:title" content="x">',
  '<script type="application/ld+json">{}</script>',
];

/** Where the text goes: instead of the page, after it, or in the middle. */
const places = ['instead', 'behind', 'within'] as const;

interface Reading {
  readonly ms: number;
  readonly bytes: number;
}

/** Milliseconds of processor time that a reader takes for hostile pages, and how much it read. */
async function readingOf(endpoint: Endpoint, text: string, where: (typeof places)[number]): Promise<Reading> {
  const cases = await casesOf(endpoint);
  const one = cases.find(({ expect }) => (expect?.length ?? 0) > 0) ?? assert.fail(endpoint.path);
  let bytes = 0;
  const source = wrapFetches(routeSource(fixturesOf(endpoint), one.pages), (fetch) => async (request) => {
    const { url, status, headers, body } = await fetch(request);
    const at = { instead: 0, behind: body.length, within: Math.floor(body.length / 2) }[where];
    const rest = where === 'within' ? body.subarray(at) : Buffer.alloc(0);
    const content = Buffer.concat([body.subarray(0, at), Buffer.from(text), rest]);
    bytes += content.length;
    return page(url, status, headers, content);
  });
  const identity = identityOf(endpoint, one);
  const query = { endpoint, identity, position: firstPosition, limit: endpoint.page?.max ?? 1 };
  const began = process.cpuUsage();
  await fetchAnswer(query, source, stoppedClock).catch(() => undefined);
  return { ms: process.cpuUsage(began).user / 1000, bytes };
}

/** Milliseconds of processor time that a byte of JSON takes here and now. */
function msOfJson(): number {
  const text = JSON.stringify(Array.from({ length: longest / 16 }, (_, at) => ({ a: at })));
  const began = process.cpuUsage();
  JSON.parse(text);
  return process.cpuUsage(began).user / 1000 / text.length;
}

/** The least time of up to five passes: any of them may compile expressions, collect garbage, or share its core. */
async function timesJson(endpoint: Endpoint, unit: string, where: (typeof places)[number]): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < 5 && least >= most; pass += 1) {
    const { ms, bytes } = await readingOf(endpoint, unit.repeat(longest / unit.length), where);
    least = Math.min(least, ms / bytes / msOfJson());
  }
  return least;
}

for (const endpoint of endpoints) {
  test(`${endpoint.path} takes less than a second for 8 MB of any hostile page`, async () => {
    const readings = [];
    for (const unit of units) {
      for (const where of places) {
        const { ms, bytes } = await readingOf(endpoint, unit.repeat(length / unit.length), where);
        readings.push({ unit, where, perByte: ms / bytes });
      }
    }
    readings.sort((a, b) => b.perByte - a.perByte);
    for (const { unit, where } of readings.slice(0, longestOnes)) {
      const times = await timesJson(endpoint, unit, where);
      assert.ok(times < most, `${where} ${unit}: ${times.toFixed(1)} times as long as JSON`);
    }
  });
}
