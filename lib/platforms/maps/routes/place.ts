import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import { numberOrNull } from '../../../read/convert.js';
import { valueAt } from '../../../read/json.js';
import { refuseByStatus } from '../../../read/refusal.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import { fiveCounts, readDetail } from '../detail.js';
import { fetchPagePastConsent, fetchPastConsent } from '../fetch-past-consent.js';
import { cidOf, placeIdOf, samePlace } from '../ids.js';
import { sourceOfPlace } from '../item-sources.js';
import { featureIdOfNode } from '../listing.js';
import type { MapsPlaceDetail } from '../objects.js';
import { refuseRequest } from '../outcome.js';
import { ratingCounts as paths } from '../paths.js';
import { fetchPlaceNode } from '../place-page.js';
import type { PlaceSubject } from '../place-subject.js';
import { cidRequest, ratingCountsCalls, ratingCountsRequest, searchRequest } from '../requests.js';
import { batchAnswerOf } from '../response-frame.js';
import { searchNodes } from '../search-rows.js';

export type PlaceInLanguage = PlaceSubject & { readonly language: string };

/** The data that the page of a place requests. */
export const placeData: Route<PlaceInLanguage, ObjectReading<MapsPlaceDetail>> = {
  name: 'place-data',
  reads: 'The data that the page of a place requests; a thin answer is requested again, twice.',
  surface: 'page',
  seen: { month: '2026-07', from: [] },
  async read({ identity: { id, language }, session }) {
    const { answer, thin } = await fetchPlaceNode(session, id, language);
    const data = readDetail(answer);
    return { data, source: sourceOfPlace(data), brief: thin };
  },
};

/** Metres around the place that the search covers. */
const radius = 500;

/** A place among the results of a search for its name and address. */
export const focusedSearch: Route<PlaceInLanguage, ObjectReading<MapsPlaceDetail>> = {
  name: 'focused-search',
  reads: 'The row of the place in a search for its name and address.',
  surface: 'page',
  seen: { month: '2025-11', from: [] },
  fills: {
    user_ratings_total: 'some',
    rating_distribution: 'never',
    price_level: 'some',
    popular_times: 'some',
    about: 'some',
    is_claimed: 'some',
  },
  async read({ identity: { id, language }, session, merged }) {
    const { name, formatted_address = null, location = null } = (merged ?? {}) as Partial<MapsPlaceDetail>;
    if (name === undefined)
      throw refusal('subject_without_data', 'The place cannot be searched, because its name is unknown.');
    const query = formatted_address === null ? name : `${name}, ${formatted_address}`;
    const camera = location === null ? null : { ...location, radius };
    const root = await fetchPastConsent(session, searchRequest(query, language, null, camera, 0));
    const node = searchNodes(root, query).nodes.find((one) => {
      const featureId = featureIdOfNode(one);
      return featureId !== null && samePlace(featureId, id);
    });
    if (node === undefined) throw refusal('unknown_layout', 'The search for the place does not show it.');
    const data = readDetail(node);
    return { data, source: sourceOfPlace(data) };
  },
};

type Counts = Pick<MapsPlaceDetail, 'rating' | 'user_ratings_total' | 'rating_distribution'>;

/** Ratings are shown with one decimal. */
const sameRating = (one: number, other: number) => Math.abs(one - other) < 0.1;

/**
 * Reads the counts of a response. Throws `platform_changed` for counts that do not add up or do not match the rating.
 */
function ratingCountsOf(answer: unknown, rating: number | null): Counts {
  const distribution = fiveCounts(valueAt(answer, paths.distribution));
  const total = numberOrNull(valueAt(answer, paths.total));
  const ownRating = numberOrNull(valueAt(answer, paths.rating));
  if (distribution === null || ownRating === null)
    throw refusal('unknown_layout', 'The ratings have no counts.');
  const counts = Object.values(distribution);
  const sum = counts.reduce((one, other) => one + other, 0);
  const average = counts.reduce((points, count, index) => points + count * (index + 1), 0) / sum;
  if (
    sum === 0 ||
    sum !== total ||
    Math.abs(average - ownRating) > 0.3 ||
    !sameRating(ownRating, rating ?? ownRating)
  ) {
    throw new ExtractError('platform_changed', 'The counts of the ratings contradict the rating.');
  }
  return { rating: ownRating, user_ratings_total: sum, rating_distribution: distribution };
}

/** Returns the ID of a visit. The platform writes it into every page, and its own calls include it. */
const visitOf = (text: string) => /\bkEI\s*[=:]\s*['"]([\w-]{10,60})['"]/.exec(text)?.[1] ?? null;

/** The number of ratings of a place, by stars: the call behind the page’s own histogram. */
export const ratingCounts: Route<PlaceSubject, ObjectReading<Counts>> = {
  name: 'rating-counts',
  reads: 'The call by which a page counts the ratings of a place: the rating, and how many by stars.',
  surface: 'page',
  seen: { month: '2026-07', from: [] },
  fills: {
    place_id: 'never',
    name: 'never',
    categories: 'never',
    formatted_address: 'never',
    location: 'never',
    phone: 'never',
    phone_numbers: 'never',
    website: 'never',
    opening_hours: 'never',
    business_status: 'never',
    price_level: 'never',
    popular_times: 'never',
    about: 'never',
    is_claimed: 'never',
  },
  async read({ identity: { id }, session, merged }) {
    const page = await fetchPagePastConsent(session, cidRequest(cidOf(id)));
    refuseByStatus(page);
    const visit = visitOf(page.text());
    if (visit === null) throw refusal('shell', 'The page does not name the visit, which the call requires.');
    const answer = await fetchPagePastConsent(session, ratingCountsRequest(id, visit));
    refuseRequest(answer);
    const { rating = null } = (merged ?? {}) as Partial<Counts>;
    const data = ratingCountsOf(batchAnswerOf(answer, ...ratingCountsCalls), rating);
    return { data, source: sourceOfPlace({ place_id: placeIdOf(id) }) };
  },
};
