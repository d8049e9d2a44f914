import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';

/** What a broken page may hold in place of a value. */
const replacements = [null, '', 'text', 0, -1, 1e300, true, [], {}, [[]], [null], ['x'], '\ud800'];

/** Every place in a tree that holds a list or an object's keys: where a value can be taken out. */
function slots(node: unknown, found: { holder: unknown[]; index: number }[] = []) {
  if (!Array.isArray(node)) return found;
  for (const [index, value] of node.entries()) {
    if (value !== null) found.push({ holder: node, index });
    slots(value, found);
  }
  return found;
}

/** A data body with some values replaced, chosen by numbers between 0 and 1. */
function broken(text: string, picks: readonly (readonly [number, number])[]): string {
  if (!text.startsWith(")]}'\n[")) return text;
  const root: unknown = JSON.parse(text.slice(4));
  const places = slots(root);
  for (const [where, what] of picks) {
    const slot = places[Math.floor(where * places.length)];
    if (slot !== undefined) slot.holder[slot.index] = replacements[Math.floor(what * replacements.length)];
  }
  return `)]}'\n${JSON.stringify(root)}`;
}

const part = fc.double({ min: 0, max: 0.999999, noNaN: true });
const picks = fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 8 });

describe('a page with some of its values taken out or replaced', () => {
  for (const endpoint of [places, place, reviews, photos] as Endpoint[]) {
    test(`${endpoint.path}: is an answer the contract allows, or a named outcome`, async () => {
      const cases = (await casesOf(endpoint)).filter(({ expect }) => expect !== undefined);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...cases), picks, async (one, chosen) => {
          const source = altered(routeSource(sampleFiles(endpoint.path), one.pages), (text) =>
            broken(text, chosen),
          );
          try {
            await pagesOf(endpoint, one, source, 3);
          } catch (error) {
            assert.ok(error instanceof ExtractError, String(error instanceof Error ? error.stack : error));
            assert.ok(['platform', 'not_found'].includes(error.type), `${error.code} ${error.message}`);
          }
        }),
        { numRuns: 150 },
      );
    });
  }
});
