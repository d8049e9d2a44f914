import { listAt, valueAt } from '../../read/json.js';
import { hasPartOfWeek } from './hours.js';
import { ratingOf, ratingsOf } from './listing.js';
import { place } from './paths.js';

/** A rating without the number of ratings. */
const lacksCount = (node: unknown) => ratingOf(node) !== null && ratingsOf(node) === null;

/**
 * True for the thin body that the platform serves at random, mostly to new sessions (2026-07): a rating without its
 * count, one day of hours, or none of the parts that every full body has.
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

/** True for thin rows of a search: most that should have a count or a week do not. */
export function areThin(nodes: readonly unknown[]): boolean {
  const rated = nodes.filter((node) => ratingOf(node) !== null);
  const withHours = nodes.filter((node) => listAt(node, ...place.week).length > 0);
  return majorityHolds(rated, lacksCount) || majorityHolds(withHours, hasPartOfWeek);
}
