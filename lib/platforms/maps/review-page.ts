import { listAt, valueAt } from '../../read/json.js';
import { readOlderReview } from './older-review-row.js';
import { place, reviews } from './paths.js';
import { pageToken } from './response-frame.js';
import { type ReadReview, readReview } from './review-row.js';

/** A page of reviews as the platform cuts it. */
export interface ReviewPage {
  readonly rows: readonly ReadReview[];
  /** Token of the next page; null on the last. */
  readonly token: string | null;
}

/** The reviews' own answer, or null where it has no frame for reviews. A frame without rows holds none. */
export function reviewPageOf(root: readonly unknown[]): ReviewPage | null {
  if (!Array.isArray(valueAt(root, reviews.frame))) return null;
  return {
    rows: listAt(root, ...reviews.rows).map(readReview),
    token: pageToken(valueAt(root, reviews.token)),
  };
}

/** The few reviews, the most relevant ones, that stand inside a place node. */
export function inlineReviews(node: unknown): readonly ReadReview[] {
  return listAt(node, ...place.inlineReviews).map(readOlderReview);
}
