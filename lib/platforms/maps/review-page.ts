import { ExtractError } from '../../errors/extract-error.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { anywhere, listAt, valueAt } from '../../read/json.js';
import { type FeatureId, samePlace } from './ids.js';
import { ratingOf, ratingsOf } from './listing.js';
import { namesPlace } from './names-place.js';
import { readOlderReview } from './older-review-row.js';
import { place, reviews } from './paths.js';
import { pageToken } from './response-frame.js';
import { type ReadReview, readReview } from './review-row.js';

export interface ReviewPage {
  readonly rows: readonly ReadReview[];
  /** Null on the last page. */
  readonly token: string | null;
  readonly emptyProof: EmptyProof;
}

function refuseOtherPlace(rows: readonly ReadReview[], id: FeatureId): void {
  const other = rows.find((row) => row.place !== null && !samePlace(row.place, id))?.place;
  if (other === undefined) return;
  throw new ExtractError('platform_changed', `A review is about the place ${other}, not ${id}.`);
}

/**
 * Reads the reviews' own response; null without a frame for reviews. Its rows name the place; if none does, it may be
 * another's. A frame with neither rows nor a place's name is the end.
 */
export function reviewPageOf(root: readonly unknown[], id: FeatureId): ReviewPage | null {
  const frame = valueAt(root, reviews.frame);
  if (!Array.isArray(frame)) return null;
  const rows = listAt(root, ...reviews.rows).map(readReview);
  refuseOtherPlace(rows, id);
  if (rows.length > 0 && rows.every((row) => row.place === null)) {
    throw new ExtractError('platform_changed', 'The reviews do not name their place.');
  }
  const token = pageToken(valueAt(root, reviews.token));
  return { rows, token, emptyProof: { end: token === null && !namesPlace(frame) } };
}

/** Returns the few reviews inside a place node, most relevant first. */
export function inlineReviews(node: unknown, id: FeatureId): readonly ReadReview[] {
  const rows = listAt(node, ...place.inlineReviews).map(readOlderReview);
  refuseOtherPlace(rows, id);
  return rows;
}

/** The index of a place node that holds other places. */
const otherPlaces = 99;
/** A reviewer, or the feature id of the reviewed place. */
const ofReview = /\/maps\/contrib\/|^0x0:0x/;

/** True if a place node has no rating, no count of ratings and no reviewer anywhere: the place has no reviews. */
export function isUnreviewed(node: unknown): boolean {
  const counts = place.distribution.flatMap((path) => listAt(node, ...path));
  return (
    ratingOf(node) === null &&
    ratingsOf(node) === null &&
    counts.every((count) => count === 0) &&
    !anywhere(
      listAt(node).toSpliced(otherPlaces, 1),
      (value) => typeof value === 'string' && ofReview.test(value),
    )
  );
}
