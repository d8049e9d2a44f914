import { idOrNull } from '../../read/convert.js';
import { authorOrNull, type PageItemSource } from '../../read/item-source.js';
import { valueAt } from '../../read/json.js';
import type { MapsPhoto } from './objects.js';
import { photo } from './paths.js';
import type { ReadReview } from './review-row.js';

export const sourceOfPlace = ({ place_id }: { readonly place_id: string }): PageItemSource => ({
  id: place_id,
  url: `https://www.google.com/maps/place/?q=place_id:${encodeURIComponent(place_id)}`,
  author: null,
});

const contributorOf = (address: string | null) =>
  /\/maps\/contrib\/(\d{5,30})/.exec(address ?? '')?.[1] ?? null;

/** The source of a review: its own address, and the reviewer (2026-02; inside a place body 2025). */
export const sourceOfReview = ({ id, permalink, review: { author } }: ReadReview): PageItemSource => ({
  id,
  url: permalink,
  author: authorOrNull({ id: contributorOf(author.profile_url), name: author.name, url: author.profile_url }),
});

/**
 * The source of a photo. A gallery has no address for its page, and names the photographer only for photos of reviews.
 */
export function sourceOfPhoto(row: unknown, { uploader }: MapsPhoto): PageItemSource {
  const url = uploader?.profile_url ?? null;
  return {
    id: idOrNull(valueAt(row, photo.id)),
    url: null,
    author: authorOrNull({ id: contributorOf(url), name: uploader?.name ?? null, url }),
  };
}
