import type { Route } from '../../../routes/route.js';
import { readSuggestions, type Suggestion } from '../suggestions.js';
import { suggestionsUrl } from '../urls.js';

const isPostal = ({ name }: Suggestion) => /^\d/.test(name);

/**
 * Returns the place for some words: an exact name, then a name that begins with them, then the best match that is not
 * a postal code.
 */
export function placeOf(words: string, places: readonly Suggestion[]): Suggestion | null {
  const typedName = words.trim().toLowerCase();
  const lowerNames = places.map((place) => ({ place, name: place.name.toLowerCase() }));
  return (
    lowerNames.find(({ name }) => name === typedName)?.place ??
    lowerNames.find(({ name }) => name.startsWith(`${typedName},`))?.place ??
    places.find((place) => !isPostal(place)) ??
    null
  );
}

/** The places that the platform suggests as visitors type. */
export const typeahead: Route<string, readonly Suggestion[]> = {
  name: 'typeahead',
  reads: 'The place, as the platform numbers and writes it.',
  surface: 'guest',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  read: async ({ identity, session }) =>
    readSuggestions(await session.fetch({ url: suggestionsUrl('place', identity) })),
};
