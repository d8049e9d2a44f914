import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import type { Json } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import { isOutcome } from '../../../routes/walk.js';
import type { PageSession } from '../../../web/page-source.js';
import { fetchPagePastConsent } from '../fetch-past-consent.js';
import type { FeatureId } from '../ids.js';
import { sourceOfReview } from '../item-sources.js';
import { ratingsOf } from '../listing.js';
import type { MapsReview } from '../objects.js';
import { refuseRequest, withoutData } from '../outcome.js';
import { fetchPlaceNode } from '../place-page.js';
import type { PlaceSubject } from '../place-subject.js';
import { reviewsRequest, type Sort } from '../requests.js';
import { isData, rootOf } from '../response-frame.js';
import type { ReviewPage } from '../review-page.js';

export type ReviewSubject = PlaceSubject & { readonly sort: Sort };

/** A position in the list: the token of the platform's page, and how many of its rows were returned. */
interface Position {
  readonly token: string;
  readonly skip: number;
  /** Reviews on earlier pages of the platform; missing in cursors of versions that did not count them. */
  readonly given?: number;
  /** Rows to request for the page. */
  readonly size?: number;
}

const start: Position = { token: '', skip: 0, given: 0 };

/** The platform's own pages have 10; it returns up to 60 (2026-09), in which later calls continue. */
const smallPage = 10;
const largePage = 60;

const without = 'The answer has no frame for reviews.';

/** Fetches a page of the list. Its “not found” says nothing about the place, which may exist without it. */
async function fetchPage(
  session: PageSession,
  { id, sort }: ReviewSubject,
  { token, skip }: Position,
  size: number,
): Promise<ReviewPage> {
  const request = { ...reviewsRequest(id, sort, token, size), rest: skip > 0 ? 'take' : 'keep' } as const;
  const answer = await fetchPagePastConsent(session, request);
  if (answer.status === 403) {
    throw new ExtractError('platform_blocked', 'The platform has closed the list of reviews to visitors.');
  }
  if (answer.status === 410 || answer.status === 404) throw refusal('unknown_layout', without);
  if (answer.status === 200 && !isData(answer)) throw withoutData(answer);
  refuseRequest(answer);
  const { reviewPageOf } = await import('../review-page.js');
  const page = reviewPageOf(rootOf(answer), id);
  if (page === null) throw refusal('unknown_layout', without);
  // The place's page distinguishes a place without reviews from a list that lacks them.
  if (page.rows.length === 0 && token === '') {
    throw new ExtractError('platform_changed', 'The list has no reviews.');
  }
  return page;
}

/** Returns the place's own count of ratings; null if its page has none. */
async function countOf(session: PageSession, id: FeatureId): Promise<number | null> {
  try {
    return ratingsOf((await fetchPlaceNode(session, id, 'en', () => false)).answer);
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return null;
  }
}

/** Reviews in any order but newest first end after about this many (2026-11). */
const maxSorted = 800;

/** Returns why a list ends after so many reviews. Some are counted but never listed. */
function endAfter(itemCount: number, total: number | null, sort: Sort) {
  if (total === null) return 'unknown';
  if (itemCount * 2 >= total && (sort === 'newest' || total <= maxSorted)) return 'end';
  return sort !== 'newest' && itemCount * 2 >= maxSorted ? 'visitors' : 'unknown';
}

/** The list behind the review window of search results. */
export const reviewList: Route<ReviewSubject, Part<MapsReview>> = {
  name: 'review-list',
  reads: 'The list that the review window of search results requests, up to 60 at a time.',
  surface: 'page',
  seen: { month: '2026-09', from: [] },
  async read({ identity, limit, part, session }) {
    const at: Position = { ...start, ...((part ?? {}) as Partial<Position>) };
    const { skip, given, size = skip + limit > smallPage ? largePage : smallPage } = at;
    const page = await fetchPage(session, identity, at, size);
    const end = skip + limit;
    const rows = page.rows.slice(skip, end);
    const before = given === undefined ? {} : { given: given + page.rows.length };
    const next: Position | null =
      end < page.rows.length
        ? { ...at, skip: end, size }
        : page.token === null
          ? null
          : { token: page.token, skip: 0, ...before };
    const { given: all = 0 } = before;
    // A list that ends on its first, small page is as long as it looks. A browser would have to open another page.
    const isDoubtful = next === null && all >= smallPage && session.runsPages !== true;
    const total = isDoubtful ? await countOf(session, identity.id) : null;
    return {
      items: rows.map((row) => ({ item: row.review, source: sourceOfReview(row) })),
      ids: rows.map(({ id }) => id),
      next: next as Json,
      emptyProof: { ...page.emptyProof, leftOut: Math.min(skip, page.rows.length) },
      total,
      ended: endAfter(all, total, identity.sort),
    };
  },
};
