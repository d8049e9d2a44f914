import type { Path } from '../../read/json.js';

/**
 * Where facts are in the platform's lists: paths of indexes, the current one first, older ones after it. Seen from
 * October 2024 to August 2026 unless noted. The only file to change when an index moves.
 */

export const placeNode: Path = [6];

/** From the root of a search: the query, as the platform understood it. */
export const searchQuery: Path = [0, 0];

/** From the root of a search: the lists of rows. A row contains its place node, or marks that it is paid for. */
export const searchRows: readonly {
  readonly list: Path;
  readonly node: Path;
  readonly sponsored: Path | null;
  /** In a row next to a station's: its departures, which mention the station (2025-11). */
  readonly departures: Path | null;
}[] = [
  { list: [64], node: [1], sponsored: [5], departures: null },
  // Until 2025, and still if a query identifies one place; the first row is a header without a node.
  { list: [0, 1], node: [14], sponsored: null, departures: [17] },
];

/** Paths in a place node, both in a place body and in a row of a search. */
export const place = {
  featureId: [[10], [227, 0, 0]],
  placeId: [[78], [227, 0, 4]],
  name: [[11]],
  categories: [13],
  /** The same as the platform's own names, such as `coffee_shop`; in every answer that has categories. */
  categoryIds: [76],
  address: [[39]],
  /** Lines of the address by kind; 1 is the complete address without the name. The second source. */
  addressLines: [183, 0],
  lat: [9, 2],
  lng: [9, 3],
  rating: [[4, 7]],
  ratings: [[4, 8]],
  /** “516 reviews” in the language of the page. */
  ratingsText: [[4, 3, 1]],
  phones: [178],
  website: [[7, 0]],
  /** The week, since 2023: [name, 1 Monday … 7 Sunday, date, slots, _, 1 open or 2 closed]. */
  week: [203, 0],
  /** The week until November 2025: [name, texts, _, _, date, 1 open or 2 closed, [[h, m, h, m]]]. */
  olderWeek: [34, 1],
  /** The state of the status line. */
  state: [203, 1, 2],
  status: [
    [203, 1, 4, 0],
    [203, 1, 8, 0],
    [34, 4, 4],
  ],
  closedForGood: [23],
  /** "CLOSED" (until about 2022), at the index of highlights such as “Dogs allowed”. */
  highlight: [88, 0],
  /** Counts of 1, 2, 3, 4 and 5. */
  distribution: [
    [175, 3],
    [52, 3],
  ],
  /** “€€”, or since 2025 a range. */
  price: [
    [4, 2],
    [4, 4],
  ],
  popularTimes: [84, 0],
  about: [100, 1],
  /** Invitations to claim the listing, strings in lists; present if it is unclaimed. */
  claimInvitations: [[49], [226]],
  /** Number of the owner's account; present if it is claimed. */
  owner: [
    [57, 2],
    [181, 6],
    [227, 0, 6],
  ],
  /** The tab of reviews with up to eight rows in the older form. */
  inlineReviews: [175, 9, 0, 0],
  /** Fields that only a full answer has; the last two as in older pages. */
  fullOnly: [[175], [100], [105], [52]],
  /** The gallery's first page. */
  gallery: [105, 0, 1],
  /** Pictures elsewhere in the body: a small page of the gallery, and two lists. */
  fallbackGallery: [37],
  fallbackPhotos: [
    [51, 0],
    [37, 0],
    [72, 0],
  ],
} as const satisfies Record<string, Path | readonly Path[]>;

/** Paths in a page of photos, both in a place body and in the gallery's own response. */
export const photoPage = { rows: [0], total: [1], token: [5] } as const satisfies Record<string, Path>;

export const photo = {
  id: [0],
  /** 10 contributed, 0 Street View. */
  kind: [1],
  url: [6, 0],
  /** Width, height. */
  size: [6, 2],
  /** Location of the place: a number, longitude, latitude. A photo contains no ID of the place. */
  point: [8, 0],
  /** Height, width: the second source. */
  swappedSize: [21, 2, 2],
  /** Present for photos of reviews; omitted in galleries (index 0 is a copyright notice). */
  uploaderName: [21, 4, 1, 0, 0, 0],
  uploaderUrl: [21, 4, 1, 0, 1],
} as const satisfies Record<string, Path>;

/** From the root of the response that counts a place's ratings: counts of 1, 2, 3, 4 and 5 (2026-07). */
export const ratingCounts = { rating: [3, 0], distribution: [3, 1], total: [3, 2] } as const satisfies Record<
  string,
  Path
>;

/** From the root of a response of reviews (since February 2026). */
export const reviews = { frame: [1, 10], rows: [1, 10, 2], token: [1, 10, 6] } as const satisfies Record<
  string,
  Path
>;

export const review = {
  id: [5],
  rating: [1],
  partnerRating: [45],
  scale: [46],
  /** Milliseconds, as a string. */
  time: [2, 2],
  /** HTML. */
  text: [27],
  language: [26],
  authorName: [3, 0],
  authorPhoto: [3, 1],
  authorUrl: [3, 2],
  authorReviews: [3, 3],
  /** 1 or 0. */
  localGuide: [3, 5, 1],
  photos: [14],
  photoUrl: [0],
  response: [4, 2],
  /** Address of the review; it contains the feature id of the place without its first number. */
  permalink: [12],
} as const satisfies Record<string, Path>;

/** Paths in a review inside a place body: the form that the reviews' own response had until February 2026. */
export const olderReview = {
  id: [[0, 0]],
  /** Feature id of the place without its first number. */
  place: [0, 1, 0],
  /** Address of the review (2025-06). */
  permalink: [0, 4, 3, 0],
  rating: [[0, 2, 0, 0]],
  partnerRating: [0, 2, 8, 1],
  scale: [0, 1, 13, 4],
  /** Microseconds of when it was written; the time of the last edit follows. */
  time: [0, 1, 2],
  /** Plain text as written; until 2023 also at the second path. */
  text: [
    [0, 2, 15, 0, 0],
    [0, 2, 1, 0],
  ],
  language: [
    [0, 2, 14, 0],
    [0, 2, 1, 1],
  ],
  /** Until 2023 the author was a list in another order, at the second path. */
  authorName: [
    [0, 1, 4, 5, 0],
    [0, 1, 4, 0, 4],
  ],
  authorPhoto: [
    [0, 1, 4, 5, 1],
    [0, 1, 4, 0, 3],
  ],
  authorUrl: [
    [0, 1, 4, 5, 2, 0],
    [0, 1, 4, 0, 5],
  ],
  authorReviews: [
    [0, 1, 4, 5, 5],
    [0, 1, 4, 0, 1],
  ],
  /** [1, level, _] for a guide, [0 or omitted, …] for others. */
  guide: [0, 1, 4, 5, 8],
  /** 1 for a guide; omitted for others (until 2023). */
  olderGuide: [0, 1, 4, 0, 0, 2],
  photos: [0, 2, 2],
  photo: [1],
  response: [[0, 3, 14, 0, 0]],
  responseTime: [0, 3, 1],
} as const satisfies Record<string, Path | readonly Path[]>;
