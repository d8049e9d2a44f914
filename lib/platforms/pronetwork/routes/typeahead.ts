import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import { textOrNull } from '../../../read/convert.js';
import { at, parseJson } from '../../../read/json.js';
import { isEmpty } from '../../../read/refusal.js';
import type { Route } from '../../../routes/route.js';
import type { Page } from '../../../web/page-source.js';
import { acceptText } from '../outcome.js';
import { placesUrl } from '../urls.js';

/** A place with the platform's number and spelling. */
export interface Place {
  readonly id: string;
  readonly name: string;
}

/** Reads the places in a list of suggestions, best first (2026-05 to 2026-09). */
export function readPlaces(page: Page): readonly Place[] {
  const text = acceptText(page);
  if (isEmpty(page)) throw refusal('shell', 'The platform answered with nothing where its places are.');
  const hits = parseJson(text, 'the places');
  if (!Array.isArray(hits)) throw new ExtractError('platform_changed', 'The places are no list.');
  return hits.flatMap((hit) => {
    const [id, name] = [textOrNull(at(hit, 'id')), textOrNull(at(hit, 'displayName'))];
    return id === null || !/^\d{1,20}$/.test(id) || name === null ? [] : [{ id, name }];
  });
}

const isPostal = ({ name }: Place) => /^\d/.test(name);

/**
 * Returns the place for some words: one with that name, or one that begins with them, or the best that is not a postal
 * code.
 */
export function placeOf(words: string, places: readonly Place[]): Place | null {
  const asked = words.trim().toLowerCase();
  const named = places.map((place) => ({ place, name: place.name.toLowerCase() }));
  return (
    named.find(({ name }) => name === asked)?.place ??
    named.find(({ name }) => name.startsWith(`${asked},`))?.place ??
    places.find((place) => !isPostal(place)) ??
    null
  );
}

/** The places that the platform suggests to visitors who type one. */
export const typeahead: Route<string, readonly Place[]> = {
  name: 'typeahead',
  reads: 'The place, as the platform numbers and writes it.',
  surface: 'guest',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  fills: {},
  read: async ({ identity, session }) => readPlaces(await session.fetch({ url: placesUrl(identity) })),
};
