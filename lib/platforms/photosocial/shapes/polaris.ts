import { at, listAt } from '../../../read/json.js';
import type { MediaType, RawComment, RawList, RawMedia, RawPost, RawProfile } from '../raw-types.js';
import { picturesOf } from './pictures.js';

/** Shape P: what logged-out visitors are given since mid-2026. */

export function profileOf(user: unknown): RawProfile {
  return {
    // `id` is the account's id on another platform of the company.
    id: at(user, 'pk'),
    username: at(user, 'username'),
    name: at(user, 'full_name'),
    biography: at(user, 'biography'),
    bioLinks: at(user, 'bio_links'),
    externalUrl: undefined,
    followers: at(user, 'follower_count'),
    follows: at(user, 'following_count'),
    posts: at(user, 'all_media_count'),
    verified: at(user, 'is_verified'),
    private: at(user, 'is_private'),
    business: undefined,
    accountType: undefined,
    categories: [],
    showsCategory: undefined,
    contact: null,
  };
}

const types: ReadonlyMap<unknown, MediaType> = new Map<unknown, MediaType>([
  [1, 'IMAGE'],
  [2, 'VIDEO'],
  [8, 'CAROUSEL_ALBUM'],
  ['XIGPolarisImageMedia', 'IMAGE'],
  ['XIGPolarisVideoMedia', 'VIDEO'],
  ['XIGPolarisCarouselMedia', 'CAROUSEL_ALBUM'],
]);

function mediaOf(media: unknown): RawMedia {
  return {
    type: types.get(at(media, 'media_type')) ?? types.get(at(media, '__typename')) ?? null,
    images: picturesOf(media),
    videos: listAt(media, 'video_versions').map((version) => at(version, 'url')),
  };
}

/** A post, whole or as listings have it: those lack the time, the counts and the files. */
export function postOf(media: unknown): RawPost {
  return {
    ...mediaOf(media),
    shortcode: at(media, 'code'),
    productType: at(media, 'product_type'),
    caption: at(media, 'caption', 'text'),
    takenAt: at(media, 'taken_at'),
    // Their own like counts are 0 and mean nothing.
    children: listAt(media, 'carousel_media').map(mediaOf),
    likes: at(media, 'like_count'),
    countsHidden: at(media, 'like_and_view_counts_disabled'),
    comments: [at(media, 'comment_count')],
    views: [at(media, 'play_count')],
    // The shape carries no label, not even on posts that have one.
    paidPartnership: undefined,
    sponsors: [],
    username: at(media, 'user', 'username'),
    ownerId: at(media, 'user', 'pk'),
    ownerNodeId: at(media, 'user', 'id'),
    coauthors: listAt(media, 'coauthor_producers').map((user) => at(user, 'username')),
  };
}

/** A connection of posts: a timeline or the popular posts for a word. */
export function postsOf(connection: unknown): RawList<RawPost> {
  return {
    shape: 'P',
    items: listAt(connection, 'edges').map((edge) => postOf(at(edge, 'node'))),
    after: at(connection, 'page_info', 'end_cursor'),
    more: at(connection, 'page_info', 'has_next_page'),
    total: undefined,
  };
}

function commentOf(node: unknown): RawComment {
  return {
    id: at(node, 'pk'),
    username: at(node, 'user', 'username'),
    text: at(node, 'text'),
    createdAt: at(node, 'created_at'),
    likes: at(node, 'comment_like_count'),
    replies: at(node, 'child_comment_count'),
    parentId: at(node, 'parent_comment_id'),
  };
}

/** The comments of a post. Its `if_not_gated_logged_out` knows how many there are. */
export function commentsOf(outer: unknown): RawList<RawComment> | undefined {
  const connection = at(outer, 'comments_connection');
  if (connection === undefined || connection === null) return undefined;
  return {
    shape: 'P',
    items: listAt(connection, 'edges').map((edge) => commentOf(at(edge, 'node'))),
    after: at(connection, 'page_info', 'end_cursor'),
    more: at(connection, 'page_info', 'has_next_page'),
    total: at(outer, 'if_not_gated_logged_out', 'comment_count'),
  };
}
