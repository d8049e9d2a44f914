import { countOrNull, idOrNull, isoFromUnix, textOrNull, urlOrNull } from '../../read/convert.js';
import { pick, valueAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { featureId } from './ids.js';
import { fullSizeUrl, profileUrlOrNull, reviewUrlOrNull } from './links.js';
import type { MapsReview } from './objects.js';
import { photo, olderReview as review } from './paths.js';
import { sizeOf } from './photo-row.js';
import { photosIn, type ReadReview, starsOf, yesOrNo } from './review-row.js';

function photosOf(row: unknown): MapsReview['photos'] {
  return photosIn(row, review.photos).map((entry) => {
    const picture = valueAt(entry, review.photo);
    return {
      url: requireValue(fullSizeUrl(valueAt(picture, photo.url)), 'the URL of a photo'),
      ...sizeOf(picture),
    };
  });
}

function responseOf(row: unknown): MapsReview['owner_response'] {
  const text = pick(row, review.response, textOrNull);
  if (text === null) return null;
  return { text, publish_time: isoFromUnix(valueAt(row, review.responseTime), 'us') };
}

/** Guide or not, level, and a mark. A list of another length is something else. */
const guideParts = 3;

function isLocalGuide(row: unknown): boolean | null {
  const guide = valueAt(row, review.guide);
  if (Array.isArray(guide)) {
    if (guide.length !== guideParts) return null;
    // People who never were guides only have the mark: [null, null, 0] (2024 to 2025).
    return yesOrNo(guide[0] ?? (guide[2] === 0 ? 0 : null));
  }
  return yesOrNo(valueAt(row, review.olderGuide));
}

/** Reads a review inside a place body: plain text as written, times in microseconds. */
export function readOlderReview(row: unknown): ReadReview {
  return {
    id: requireValue(pick(row, review.id, idOrNull), 'the ID of a review'),
    place: featureId(valueAt(row, review.place)),
    permalink: reviewUrlOrNull(valueAt(row, review.permalink)),
    review: {
      rating: requireValue(
        starsOf(
          pick(row, review.rating, (v) => v ?? null),
          valueAt(row, review.partnerRating),
          valueAt(row, review.scale),
        ),
        'the rating of a review',
      ),
      text: pick(row, review.text, textOrNull),
      language: pick(row, review.language, textOrNull),
      publish_time: requireValue(isoFromUnix(valueAt(row, review.time), 'us'), 'the time of a review'),
      author: {
        name: requireValue(pick(row, review.authorName, textOrNull), 'the author of a review'),
        profile_url: pick(row, review.authorUrl, profileUrlOrNull),
        photo_url: pick(row, review.authorPhoto, urlOrNull),
        is_local_guide: isLocalGuide(row),
        review_count: pick(row, review.authorReviews, countOrNull),
      },
      photos: photosOf(row),
      owner_response: responseOf(row),
    },
  };
}
