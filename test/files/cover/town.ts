// A town of invented places, and searches in it as the platform answers them.
import { distance, type Point } from '../../../lib/platforms/maps/point.js';

/** The area that the tests cover: west, south, east, north. */
export const bbox = '23.70,37.95,23.74,37.98';
/** By default, the platform in these tests ends a list after this many places. */
const defaultCap = 120;
const pageSize = 20;

export interface TownPlace extends Point {
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
export function town(count: number, seed = 7): TownPlace[] {
  const next = random(seed);
  return Array.from({ length: count }, (_, at) => {
    const share = at % 2 === 0 ? 1 : 0.1;
    return { id: `place ${at}`, lng: 23.695 + 0.05 * share * next(), lat: 37.945 + 0.04 * share * next() };
  });
}

/** An area of 5 by 5 km, and 5,000 places in and around it: three of five crowd around four squares. */
export const cityBox = '23.70,37.95,23.757,37.995';

export function city(seed = 11): TownPlace[] {
  const next = random(seed);
  const spread = () => next() + next() + next() + next() - 2;
  return Array.from({ length: 5000 }, (_, at) => {
    const id = `place ${at}`;
    if (at % 5 < 2) return { id, lng: 23.7 + 0.057 * next(), lat: 37.95 + 0.045 * next() };
    const square = at % 4;
    return {
      id,
      lng: 23.711 + 0.0115 * square + 0.005 * spread(),
      lat: 37.959 + 0.009 * ((square * 2) % 5) + 0.004 * spread(),
    };
  });
}

/** How the platform of a test ends its lists. */
export interface ListEnd {
  /** Places of a list at most. */
  readonly cap: number;
  /** Whether a full last page leads on to one without places. */
  readonly emptyPage: boolean;
}

/** A page of a search: what is near first, twenty rows, cut off at the cap. `next` is null on the last one. */
export function searchTown(
  places: readonly TownPlace[],
  { lat, lng, radius_m }: Point & { readonly radius_m: number },
  from: number,
  { cap, emptyPage }: ListEnd = { cap: defaultCap, emptyPage: false },
) {
  const near = places
    .filter((place) => Math.abs(place.lat - lat) * 111_000 <= radius_m)
    .map((place) => ({ place, metres: distance(place, { lat, lng }) }))
    .filter(({ metres }) => metres <= radius_m)
    .sort((one, other) => one.metres - other.metres)
    .slice(0, cap);
  const rows = near
    .slice(from, from + pageSize)
    .map(({ place: { id, ...location } }) => ({ place_id: id, name: id, location }));
  const leadsOn = from + pageSize < near.length || (emptyPage && rows.length === pageSize);
  return { rows, next: leadsOn ? from + pageSize : null };
}
