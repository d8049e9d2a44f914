import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import type { Part, Route } from '../../../routes/route.js';
import { sourceOfReview } from '../item-sources.js';
import { ratingsOf } from '../listing.js';
import type { MapsReview } from '../objects.js';
import { fetchPlaceNode } from '../place-page.js';
import { isThin } from '../thin-page.js';
import type { ReviewSubject } from './review-list.js';

/** The few reviews in the data of the place’s page, most relevant first. They also prove that there are none. */
export const inlineReviewRows: Route<ReviewSubject, Part<MapsReview>> = {
  name: 'inline-reviews',
  reads: 'Up to eight of the most relevant reviews, in the data of the place’s page.',
  surface: 'page',
  seen: { month: '2026-07', from: [] },
  async read({ identity: { id, sort }, limit, part, session }) {
    const { skip = 0 } = (part ?? {}) as { readonly skip?: number };
    const { inlineReviews, isUnreviewed } = await import('../review-page.js');
    const { answer, thin } = await fetchPlaceNode(
      session,
      id,
      'en',
      (node) => inlineReviews(node, id).length === 0 && isThin(node),
    );
    const rows = inlineReviews(answer, id);
    if (rows.length === 0) {
      if (thin)
        throw new ExtractError('platform_blocked', 'The platform served a slim page without reviews.');
      if (!isUnreviewed(answer)) throw refusal('unknown_layout', 'The place’s page lacks its reviews.');
      return { items: [], next: null, emptyProof: { none: true }, total: 0, ended: 'end' };
    }
    if (sort !== 'relevant') {
      throw refusal('subject_without_data', 'The place’s page has only the most relevant reviews.');
    }
    const reviews = rows.slice(skip, skip + limit);
    return {
      items: reviews.map((row) => ({ item: row.review, source: sourceOfReview(row) })),
      ids: reviews.map((row) => row.id),
      next: skip + limit < rows.length ? { skip: skip + limit } : null,
      emptyProof: { leftOut: Math.min(skip, rows.length) },
      total: ratingsOf(answer),
      ended: 'visitors',
      brief: true,
    };
  },
};
