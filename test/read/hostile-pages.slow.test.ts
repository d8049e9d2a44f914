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

/** Characters of the shorter page; the longer one is four times as long. */
const length = 64 * 1024;
/** Milliseconds of processor time that say nothing yet, and how many times as long four times the page may take. */
const [nothing, most] = [40, 10];

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
  // What readers look for from where they find it, on and on or back.
  ' id="__FRONTITY_CONNECT_STATE__"',
  '<a id="__UNIVERSAL_DATA_FOR_REHYDRATION__">',
  '"compMap":{',
  '"adp_PolarisProfilePostsQueryRelayPreloader_',
  '<form action="https://consent.google.com/save">',
  '<section data-section="educationsDetails" ',
];

/** Milliseconds of processor time that a reader takes where hostile text stands for each page, or behind it. */
async function msOf(endpoint: Endpoint, text: string, isBehind: boolean): Promise<number> {
  const cases = await casesOf(endpoint);
  const one = cases.find(({ expect }) => (expect?.length ?? 0) > 0) ?? assert.fail(endpoint.path);
  const source = wrapFetches(routeSource(fixturesOf(endpoint), one.pages), (fetch) => async (request) => {
    const { url, status, headers, body } = await fetch(request);
    return page(url, status, headers, Buffer.concat([isBehind ? body : Buffer.alloc(0), Buffer.from(text)]));
  });
  const identity = identityOf(endpoint, one);
  const asked = { endpoint, identity, position: firstPosition, limit: endpoint.page?.max ?? 1 };
  const began = process.cpuUsage();
  await fetchAnswer(asked, source, stoppedClock).catch(() => undefined);
  return process.cpuUsage(began).user / 1000;
}

for (const endpoint of endpoints) {
  test(`${endpoint.path} takes no square of the length of a hostile page`, async () => {
    for (const unit of units) {
      for (const isBehind of [false, true]) {
        const text = unit.repeat(length / unit.length);
        const ms = await msOf(endpoint, text, isBehind);
        const longer = await msOf(endpoint, text.repeat(4), isBehind);
        const said = `${unit}: ${ms.toFixed(0)} ms, and ${longer.toFixed(0)} ms of four times as much`;
        assert.ok(longer < most * Math.max(ms, nothing), said);
      }
    }
  });
}
