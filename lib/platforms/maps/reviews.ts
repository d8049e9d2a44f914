import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { choice, pageUrl, text } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { fetchPagePastConsent } from './fetch-past-consent.js';
import type { FeatureId } from './ids.js';
import { sourceOfReview } from './item-sources.js';
import { mapsReview } from './objects.js';
import { refuseRequest, withoutData } from './outcome.js';
import { fetchPlaceNode } from './place-page.js';
import { reviewsRequest, type Sort, sorts } from './requests.js';
import { resolveFeatureId } from './resolve.js';
import { isData, rootOf } from './response-frame.js';
import type { ReviewPage } from './review-page.js';
import { site } from './site.js';
import { isThin } from './thin-page.js';
import { keyOf, type PlaceKey } from './urls.js';

/** Where a page of the listing begins: the token of the platform's page, and how many of it were given. */
interface Position {
  readonly token: string;
  readonly skip: number;
  /** Reviews on the platform's pages before it; left out by versions that did not count them. */
  readonly given?: number;
  /** The platform gave no token at the end of its first page, which is full. */
  readonly ends?: true;
  /** The rows are those inside the place body. */
  readonly inline?: true;
}

const start: Position = { token: '', skip: 0, given: 0 };

/** The platform's own pages hold 10; twice as many are asked for where the caller wants more. */
const smallPage = 10;
const largePage = 20;

const without = 'The answer came without a frame for reviews.';

/** The reviews' own answer, or its error where that source is closed or no longer holds reviews. */
async function ownPage(
  session: PageSession,
  id: FeatureId,
  sort: Sort,
  { token, skip }: Position,
  limit: number,
): Promise<ReviewPage | ExtractError> {
  const size = skip + limit > smallPage ? largePage : smallPage;
  const answer = await fetchPagePastConsent(session, reviewsRequest(id, sort, token, size));
  if (answer.status === 403) {
    return new ExtractError('platform_blocked', 'The platform has closed the list of reviews to visitors.');
  }
  if (answer.status === 410) return refusal('unknown_layout', without);
  if (answer.status === 200 && !isData(answer)) return withoutData(answer);
  refuseRequest(answer, 'place_not_found');
  const { reviewPageOf } = await import('./review-page.js');
  const page = reviewPageOf(rootOf(answer, 'place_not_found'), id);
  if (page === null) return refusal('unknown_layout', without);
  // The place's page tells a place without reviews from a list that came without them.
  const provesNothing = page.rows.length === 0 && token === '';
  return provesNothing ? new ExtractError('platform_changed', 'The list came without reviews.') : page;
}

/**
 * The second source. It gives up to eight of the most relevant reviews in the place body. It proves that a place has
 * none. Null where the body shows neither.
 */
async function inlinePage(session: PageSession, id: FeatureId, sort: Sort): Promise<ReviewPage | null> {
  const { inlineReviews, isUnreviewed } = await import('./review-page.js');
  const { answer, thin } = await fetchPlaceNode(
    session,
    id,
    'en',
    (node) => inlineReviews(node, id).length === 0 && isThin(node),
  );
  const rows = inlineReviews(answer, id);
  if (rows.length > 0) return sort === 'relevant' ? { rows, token: null, emptyProof: {} } : null;
  return !thin && isUnreviewed(answer) ? { rows, token: null, emptyProof: { none: true } } : null;
}

async function pageAt(session: PageSession, id: FeatureId, sort: Sort, at: Position, limit: number) {
  const own =
    at.inline === true
      ? new ExtractError('platform_changed', 'The place’s page came without its reviews.')
      : await ownPage(session, id, sort, at, limit).catch((error: unknown) => {
          // A list that is not found says nothing of the place. The place's page does.
          if (error instanceof ExtractError && error.type === 'not_found')
            return refusal('unknown_layout', without);
          throw error;
        });
  if (!(own instanceof ExtractError)) return { page: own, inline: false };
  if (at.token !== '') throw own;
  const second = await inlinePage(session, id, sort).catch((error: unknown) => {
    // Where the place's page cannot be read either, the caller gets the list's own error.
    if (error instanceof ExtractError && error.type === 'platform') return null;
    throw error;
  });
  if (second === null) throw own;
  return { page: second, inline: true };
}

/** Reviews in an order other than the newest first end after about so many (2026-11). */
const maxSorted = 800;

/**
 * Throws `platform_changed` for a list that ends too early to be believed: the place has more than twice as many. Some
 * are counted, and listed to nobody.
 */
async function requireEnd(session: PageSession, id: FeatureId, sort: Sort, { given }: Position) {
  if (given === undefined) return;
  const { ratingsOf } = await import('./listing.js');
  const { answer } = await fetchPlaceNode(session, id, 'en', (node) => ratingsOf(node) === null);
  const total = ratingsOf(answer);
  if (total === null || given * 2 >= (sort === 'newest' ? total : Math.min(total, maxSorted))) return;
  throw new ExtractError('platform_changed', `The list ended after ${given} of ${total} reviews.`);
}

function nextOf(page: ReviewPage, at: Position, limit: number, inline: boolean): Position | null {
  const end = at.skip + limit;
  if (end < page.rows.length) return { ...at, skip: end, ...(inline ? { inline: true as const } : {}) };
  const given = at.given === undefined ? {} : { given: at.given + page.rows.length };
  if (page.token !== null) return { token: page.token, skip: 0, ...given };
  const isDoubtful = at.token === '' && !inline && page.rows.length >= smallPage;
  return isDoubtful ? { token: '', skip: 0, ...given, ends: true } : null;
}

/** GET /maps/reviews */
export const reviews = defineEndpoint({
  path: 'maps/reviews',
  operation: 'get_place_reviews',
  summary: 'Google Maps reviews: of a place, with authors, photos and the owner’s replies',
  description:
    'Reads the review list of the search results, 10 to 20 reviews at a time, so a page may hold fewer than `limit` while there is a cursor. Sort orders other than `newest` end after about 800 reviews. If the platform refuses the list, up to eight of the most relevant reviews come from the place’s page.\n\nThe list gives the time of a review to the second, but only the age of an owner’s reply, so `owner_response.publish_time` is null there. So are the sizes of photos.',
  credits: 3,
  cacheSeconds: 21_600,
  site,
  params: () => ({
    place_id: text('Place ID: ChIJ….'),
    url: pageUrl('URL of the place’s page, or a short link to it.'),
    sort: choice(sorts, 'Order of the reviews.').default('relevant'),
  }),
  exactlyOne: ['place_id', 'url'],
  page: { max: 20 },
  returns: mapsReview,
  many: true,
  columns: [
    'rating',
    'text',
    'author.name',
    'publish_time',
    'language',
    'owner_response.text',
    'author.review_count',
    'author.is_local_guide',
  ],
  identify: ({ place_id, url, sort = 'relevant' }) => ({ place: keyOf(place_id, url) as Json, sort }),
  async read({ identity, limit, position, session }) {
    const id = await resolveFeatureId(session, identity.place as unknown as PlaceKey);
    const at = (position ?? start) as unknown as Position;
    const isNewest = identity.sort === 'newest';
    if (at.ends === true) {
      await requireEnd(session, id, identity.sort, at);
      return { data: [], sources: [], ids: [], next: null, isEnd: isNewest, emptyProof: { end: true } };
    }
    const { page, inline } = await pageAt(session, id, identity.sort, at, limit);
    if (page.rows.length === 0 && page.token === null && !inline)
      await requireEnd(session, id, identity.sort, at);
    const next = nextOf(page, at, limit, inline);
    const rows = page.rows.slice(at.skip, at.skip + limit);
    return {
      data: rows.map(({ review }) => review),
      sources: rows.map(sourceOfReview),
      ids: rows.map(({ id: own }) => own),
      next: next as Json,
      brief: inline && page.rows.length > 0,
      // Other orders end earlier.
      isEnd: isNewest && !inline && page.emptyProof.end === true,
      emptyProof: { ...page.emptyProof, leftOut: Math.min(at.skip, page.rows.length) },
    };
  },
});
