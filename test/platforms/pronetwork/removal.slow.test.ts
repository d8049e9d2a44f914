import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { PronetworkProfile } from '../../../lib/platforms/pronetwork/objects.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { type Case, casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';

const samples: { readonly endpoint: Endpoint; readonly one: Case }[] = [];
for (const endpoint of endpoints.filter(({ platform }) => platform === 'pronetwork')) {
  for (const one of await casesOf(endpoint)) if (one.expect !== undefined) samples.push({ endpoint, one });
}

/** Places of a page that something can be taken from, by what is taken. */
const targets: readonly RegExp[] = [
  /<[a-z][^>]*>/g,
  /<\/[a-z]+>/g,
  /\s[a-z-]+="[^"]*"/g,
  />[^<>]+</g,
  /<([a-z0-9]+)[^>]*>[^<]*<\/\1>/g,
  /"[a-zA-Z@]+":("[^"]*"|\d+)/g,
  /<(section|ul|li|div|article)\b[\s\S]{0,900}?<\/\1>/g,
];

/** The page without one of the places that a target names. */
function without(html: string, target: RegExp, pick: number): string {
  const places = [...html.matchAll(target)];
  const place = places[pick % Math.max(1, places.length)];
  if (place === undefined) return html;
  const [whole] = place;
  const rest = whole.startsWith('>') ? '><' : '';
  return html.slice(0, place.index) + rest + html.slice(place.index + whole.length);
}

async function outcome({ endpoint, one }: (typeof samples)[number], change: (html: string) => string) {
  try {
    return await pagesOf(
      endpoint,
      one,
      altered(routeSource(sampleFiles(endpoint.path), one.pages), change),
      3,
    );
  } catch (error) {
    const about = `${endpoint.path}, ${one.name}: ${error instanceof Error ? error.stack : String(error)}`;
    assert.ok(error instanceof ExtractError, about);
    assert.ok(['platform', 'not_found'].includes(error.type), about);
    return null;
  }
}

test('whatever is taken out of a page, the outcome is an answer by the schema or the platform’s', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.constantFrom(...targets),
      fc.nat(100_000),
      async (sample, target, pick) => {
        const pages = await outcome(sample, (html) => without(html, target, pick));
        assert.equal(JSON.stringify(pages)?.includes('****') ?? false, false, 'asterisks are no value');
      },
    ),
    { seed: 4711, numRuns: 500 },
  );
});

test('a page cut off anywhere is an answer that is whole, or none', async () => {
  const profile = samples.find(
    ({ one }) => one.expect?.[0] === 'rich.json' && one.params.vanity_name === 'ilse-brandvik',
  );
  assert.ok(profile);
  const [whole] = (await pagesOf(profile.endpoint, profile.one)) as [PronetworkProfile];
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (part) => {
      const pages = await outcome(profile, (html) => html.slice(0, Math.floor(html.length * part)));
      if (pages !== null) assert.deepEqual(pages, [whole]);
    }),
    { seed: 4712, numRuns: 150 },
  );
});
