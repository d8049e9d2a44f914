import { ExtractError } from '../../../errors/extract-error.js';
import { refusal } from '../../../errors/outcomes.js';
import { numberOrNull } from '../../../read/convert.js';
import { valueAt } from '../../../read/json.js';

import { refuseByStatus } from '../../../read/refusal.js';
import type { ObjectReading, Route } from '../../../routes/route.js';

import { fiveCounts } from '../detail.js';
import { fetchPagePastConsent } from '../fetch-past-consent.js';
import { cidOf, placeIdOf } from '../ids.js';
import { sourceOfPlace } from '../item-sources.js';
import type { MapsPlaceDetail } from '../objects.js';
import { refuseRequest } from '../outcome.js';
import { ratingCounts as paths } from '../paths.js';
import type { PlaceSubject } from '../place-subject.js';
import { cidRequest, ratingCountsCalls, ratingCountsRequest } from '../requests.js';
import { batchAnswerOf } from '../response-frame.js';

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
