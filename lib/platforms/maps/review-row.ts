import { refusal } from '../../errors/outcomes.js';
import {
  countOrNull,
  idOrNull,
  isoFromUnix,
  numberOrNull,
  textOrNull,
  urlOrNull,
} from '../../read/convert.js';
import { textOfHtml } from '../../read/html-text.js';
import { anywhere, listAt, type Path, valueAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { type FeatureId, featureId } from './ids.js';
import { fullSizeUrl, profileUrlOrNull, reviewUrlOrNull } from './links.js';
import type { MapsReview } from './objects.js';
import { review } from './paths.js';

/** Returns stars from 1 to 5. A partner site's rating has its own scale (such as 10) and is scaled to five. */
export function starsOf(ownRating: unknown, partner: unknown, scale: unknown): number | null {
  const stars = numberOrNull(ownRating);
  if (stars !== null) return stars > 0 && stars <= 5 ? stars : null;
  const rating = numberOrNull(partner);
  const maxRating = numberOrNull(scale);
  if (rating === null || maxRating === null || rating <= 0 || rating > maxRating) return null;
  return Math.round((rating / maxRating) * 50) / 10;
}

/** A review, the platform's id for it, and the place that the row names. */
export interface ReadReview {
  readonly id: string;
  readonly place: FeatureId | null;
  /** Null if the row has none. */
  readonly permalink: string | null;
  readonly review: MapsReview;
}

/** The page writes yes as 1 and no as 0. */
export function yesOrNo(value: unknown): boolean | null {
  return value === 1 ? true : value === 0 ? false : null;
}

const placeIn = (address: unknown) =>
  typeof address === 'string' ? featureId(/!1s(0x[\da-f]+:0x[\da-f]+)/i.exec(address)?.[1]) : null;

/** The language is next to the text; on its own it is not a text. */
const isLanguage = (text: string | null) => text !== null && /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(text);

/** True for the address of a picture that is not a person's (`/a-/`, `/a/`; 2024-10 to 2026-07). */
const isPicture = (value: unknown) =>
  typeof value === 'string' && /^https:\/\/lh\d\.googleusercontent\.com\/(?!a[-/])/.test(value);

/** Returns a row's list of photos. Throws `platform_changed` for a row without one that names a picture elsewhere. */
export function photosIn(row: unknown, path: Path): readonly unknown[] {
  const photos = listAt(row, ...path);
  if (photos.length > 0 || !anywhere(row, isPicture)) return photos;
  throw refusal('unknown_layout', 'The photos of a review have moved.');
}

/**
 * Reads a row of the reviews' own response (since February 2026). Text and answer are HTML; the row has no photo size.
 */
export function readReview(row: unknown): ReadReview {
  const response = textOfHtml(valueAt(row, review.response));
  const language = textOrNull(valueAt(row, review.language));
  const text = textOfHtml(valueAt(row, review.text));
  return {
    id: requireValue(idOrNull(valueAt(row, review.id)), 'the ID of a review'),
    place: placeIn(valueAt(row, review.permalink)),
    permalink: reviewUrlOrNull(valueAt(row, review.permalink)),
    review: {
      rating: requireValue(
        starsOf(valueAt(row, review.rating), valueAt(row, review.partnerRating), valueAt(row, review.scale)),
        'the rating of a review',
      ),
      text: language === null && isLanguage(text) ? null : text,
      language,
      publish_time: requireValue(isoFromUnix(valueAt(row, review.time), 'ms'), 'the time of a review'),
      author: {
        name: requireValue(textOrNull(valueAt(row, review.authorName)), 'the author of a review'),
        profile_url: profileUrlOrNull(valueAt(row, review.authorUrl)),
        photo_url: urlOrNull(valueAt(row, review.authorPhoto)),
        is_local_guide: yesOrNo(valueAt(row, review.localGuide)),
        review_count: countOrNull(valueAt(row, review.authorReviews)),
      },
      photos: photosIn(row, review.photos).map((photo) => ({
        url: requireValue(fullSizeUrl(valueAt(photo, review.photoUrl)), 'the URL of a photo'),
        width: null,
        height: null,
      })),
      // The page only says how long ago the owner answered.
      owner_response: response === null ? null : { text: response, publish_time: null },
    },
  };
}
