/**
 * What a shape's reader takes out of a body, not yet converted: the reader knows where a value stands, the
 * mapping (profile-object.ts, post-object.ts, comment-object.ts) what it means. `undefined`: not in the shape.
 */

/**
 * The forms in which the platform has written the same things. L: `edge_…` (2017; today on embed pages).
 * X: L under `xdt_…` with renamed types (2024). V1: the app's items (2012; as `xdt_api__v1__…` 2024).
 * P: `xig_…` for logged-out visitors (mid-2026, current).
 */
type Shape = 'L' | 'X' | 'V1' | 'P';

export interface RawContact {
  readonly shown: unknown;
  readonly email: unknown;
  readonly phone: unknown;
  /** CALL or TEXT, where the account chose. */
  readonly phoneMethod: unknown;
  /** Lines of the address, in the order they are written. */
  readonly address: readonly unknown[];
}

export interface RawProfile {
  readonly id: unknown;
  readonly username: unknown;
  readonly name: unknown;
  readonly biography: unknown;
  readonly bioLinks: unknown;
  /** The one link of accounts before 2022. */
  readonly externalUrl: unknown;
  readonly followers: unknown;
  readonly follows: unknown;
  readonly posts: unknown;
  readonly verified: unknown;
  readonly private: unknown;
  readonly business: unknown;
  /** 1 personal, 2 business, 3 creator. */
  readonly accountType: unknown;
  readonly categories: readonly unknown[];
  readonly showsCategory: unknown;
  readonly contact: RawContact | null;
}

export type MediaType = 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';

export interface RawMedia {
  readonly type: MediaType | null;
  /** Addresses of the picture, the best one first. */
  readonly images: readonly unknown[];
  /** Addresses of the video file, the best one first. */
  readonly videos: readonly unknown[];
}

export interface RawPost extends RawMedia {
  readonly shortcode: unknown;
  /** `clips` is a reel. */
  readonly productType: unknown;
  readonly caption: unknown;
  readonly takenAt: unknown;
  readonly children: readonly RawMedia[];
  readonly likes: unknown;
  /** True: whatever number stands as likes or views is a stand-in. */
  readonly countsHidden: unknown;
  /** Counts of comments, the one that includes replies first. */
  readonly comments: readonly unknown[];
  readonly views: readonly unknown[];
  readonly paidPartnership: unknown;
  /** Accounts named as paying. */
  readonly sponsors: readonly unknown[];
  readonly username: unknown;
  readonly ownerId: unknown;
  /** Id of the owner by which the documents of shape P know an account. */
  readonly ownerNodeId: unknown;
  /** Handles of those who posted it together with the owner. */
  readonly coauthors: readonly unknown[];
}

export interface RawComment {
  readonly id: unknown;
  readonly username: unknown;
  readonly text: unknown;
  readonly createdAt: unknown;
  readonly likes: unknown;
  readonly replies: unknown;
  readonly parentId: unknown;
}

/** A stretch of a listing. */
export interface RawList<Item> {
  readonly shape: Shape;
  readonly items: readonly Item[];
  /** Where the next stretch begins, in the platform's own words. */
  readonly after: unknown;
  readonly more: unknown;
  /** How many there are in all, where the source tells. */
  readonly total: unknown;
}
