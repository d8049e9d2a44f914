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

/** A page of reviews as the platform cuts it. */
export interface ReviewPage {
  readonly rows: readonly ReadReview[];
  /** Token of the next page; null on the last. */
  readonly token: string | null;
  /** The proof that there are no rows. */
  readonly emptyProof: EmptyProof;
}

function refuseOtherPlace(rows: readonly ReadReview[], id: FeatureId): void {
  const other = rows.find((row) => row.place !== null && !samePlace(row.place, id))?.place;
  if (other === undefined) return;
  throw new ExtractError('platform_changed', `A review is about the place ${other}, not about ${id}.`);
}

/**
 * The reviews' own answer, or null where it has no frame for reviews. Its rows name the place; without any that does,
 * it may be another's. A frame without rows and without a place's name is the end.
 */
export function reviewPageOf(root: readonly unknown[], id: FeatureId): ReviewPage | null {
  const frame = valueAt(root, reviews.frame);
  if (!Array.isArray(frame)) return null;
  const rows = listAt(root, ...reviews.rows).map(readReview);
  refuseOtherPlace(rows, id);
  if (rows.length > 0 && rows.every((row) => row.place === null)) {
    throw new ExtractError('platform_changed', 'The reviews came without the place that they are about.');
  }
  const token = pageToken(valueAt(root, reviews.token));
  return { rows, token, emptyProof: { end: token === null && !namesPlace(frame) } };
}

/** The few reviews, the most relevant ones, that stand inside a place node. */
export function inlineReviews(node: unknown, id: FeatureId): readonly ReadReview[] {
  const rows = listAt(node, ...place.inlineReviews).map(readOlderReview);
  refuseOtherPlace(rows, id);
  return rows;
}

/** The slot of a place node in which other places stand. */
const otherPlaces = 99;
/** A reviewer, or the feature id of the reviewed place. */
const ofReview = /\/maps\/contrib\/|^0x0:0x/;

/** Whether a place node has no rating, no count of ratings, and no reviewer anywhere: nobody has reviewed the place. */
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
