import { listAt, valueAt } from '../../read/json.js';
import { hasPartOfWeek } from './hours.js';
import { ratingOf, ratingsOf } from './listing.js';
import { place } from './paths.js';

/** Rated, without the number of ratings. */
const lacksCount = (node: unknown) => ratingOf(node) !== null && ratingsOf(node) === null;

/**
 * True for the thin body that the platform serves at random, most of all to a fresh session (2026-07). It has a rating
 * without its count, or one day of hours. Or it lacks all the parts that every full body has.
 */
export function isThin(node: unknown): boolean {
  return (
    lacksCount(node) ||
    hasPartOfWeek(node) ||
    place.fullOnly.every((path) => !Array.isArray(valueAt(node, path)))
  );
}

const majorityHolds = <T>(items: readonly T[], holds: (item: T) => boolean) =>
  items.length > 0 && items.filter(holds).length * 2 > items.length;

/** True for thin rows of a search: most of those that should hold a count or a week do not. */
export function areThin(nodes: readonly unknown[]): boolean {
  const rated = nodes.filter((node) => ratingOf(node) !== null);
  const timed = nodes.filter((node) => listAt(node, ...place.week).length > 0);
  return majorityHolds(rated, lacksCount) || majorityHolds(timed, hasPartOfWeek);
}
