// A town of invented places, and searches in it as the platform answers them.
import { distance, type Point } from '../../lib/platforms/maps/places.js';

/** The area that the tests cover: west, south, east, north. */
export const bbox = '23.70,37.95,23.74,37.98';
/** Where the platform of these tests ends its lists, and how many places a page has. */
const cap = 120;
const pageSize = 20;

export interface Place extends Point {
  readonly id: string;
}

/** The same numbers at each run. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Places around the area, half of them crowded into a square of a few hundred metres. */
export function town(count: number, seed = 7): Place[] {
  const next = random(seed);
  return Array.from({ length: count }, (_, at) => {
    const share = at % 2 === 0 ? 1 : 0.1;
    return { id: `place ${at}`, lng: 23.695 + 0.05 * share * next(), lat: 37.945 + 0.04 * share * next() };
  });
}

/** A page of a search: by relevance, twenty rows, cut off at the cap. `next` is null on the last one. */
export function searchTown(
  places: readonly Place[],
  { lat, lng, radius_m }: Point & { readonly radius_m: number },
  from: number,
) {
  const near = places.filter((place) => distance(place, { lat, lng }) <= radius_m).slice(0, cap);
  const rows = near
    .slice(from, from + pageSize)
    .map(({ id, ...location }) => ({ place_id: id, name: id, location }));
  return { rows, next: from + pageSize < near.length ? from + pageSize : null };
}
