import { at, listAt, parseJson } from '../../../read/json.js';
import type { MediaType, RawComment, RawList, RawMedia, RawPost, RawProfile } from '../raw-types.js';

/** Shape L: objects joined by `edge_…`, and X, the same with other type names (2024). */

const nodes = (connection: unknown): unknown[] => listAt(connection, 'edges').map((edge) => at(edge, 'node'));

/** An address is JSON written into a text. */
function addressOf(json: unknown): unknown[] {
  if (typeof json !== 'string' || !json.startsWith('{')) return [];
  const address = parseJson(json, 'The address of the account');
  return [at(address, 'street_address'), at(address, 'zip_code'), at(address, 'city_name')];
}

export function profileOf(user: unknown): RawProfile {
  return {
    id: at(user, 'id'),
    username: at(user, 'username'),
    name: at(user, 'full_name'),
    biography: at(user, 'biography'),
    bioLinks: at(user, 'bio_links'),
    externalUrl: at(user, 'external_url'),
    followers: at(user, 'edge_followed_by', 'count'),
    follows: at(user, 'edge_follow', 'count'),
    posts: at(user, 'edge_owner_to_timeline_media', 'count'),
    verified: at(user, 'is_verified'),
    private: at(user, 'is_private'),
    business: at(user, 'is_business_account'),
    accountType: undefined,
    categories: [
      at(user, 'category_name'),
      at(user, 'business_category_name'),
      at(user, 'overall_category_name'),
    ],
    showsCategory: at(user, 'should_show_category'),
    contact: {
      shown: at(user, 'should_show_public_contacts'),
      email: at(user, 'business_email'),
      phone: at(user, 'business_phone_number'),
      phoneMethod: at(user, 'business_contact_method'),
      address: addressOf(at(user, 'business_address_json')),
    },
  };
}

function typeOf(node: unknown): MediaType | null {
  const name = /(Image|Video|Sidecar)$/.exec(String(at(node, '__typename') ?? ''))?.[1];
  if (name === 'Sidecar' || at(node, 'edge_sidecar_to_children') !== undefined) return 'CAROUSEL_ALBUM';
  // Children on embed pages have no type name.
  const video = name === undefined ? at(node, 'is_video') : name === 'Video';
  return video === true ? 'VIDEO' : video === false ? 'IMAGE' : null;
}

function mediaOf(node: unknown): RawMedia {
  return {
    type: typeOf(node),
    images: [
      at(node, 'display_url'),
      at(listAt(node, 'display_resources'), -1, 'src'),
      at(node, 'display_src'),
    ],
    videos: [at(node, 'video_url')],
  };
}

export function postOf(node: unknown): RawPost {
  const views = at(node, 'video_view_count');
  return {
    ...mediaOf(node),
    shortcode: at(node, 'shortcode') ?? at(node, 'code'),
    productType: at(node, 'product_type'),
    caption: at(node, 'edge_media_to_caption', 'edges', 0, 'node', 'text') ?? at(node, 'caption'),
    takenAt: at(node, 'taken_at_timestamp') ?? at(node, 'date'),
    children: nodes(at(node, 'edge_sidecar_to_children')).map(mediaOf),
    likes: at(node, 'edge_media_preview_like', 'count') ?? at(node, 'edge_liked_by', 'count'),
    countsHidden: at(node, 'like_and_view_counts_disabled'),
    comments: ['edge_media_to_parent_comment', 'edge_media_to_comment', 'edge_media_preview_comment'].map(
      (edge) => at(node, edge, 'count'),
    ),
    // 0 stands for fresh videos in listings, too: it tells nothing.
    views: [at(node, 'video_play_count'), views === 0 ? undefined : views],
    paidPartnership: at(node, 'is_paid_partnership'),
    sponsors: nodes(at(node, 'edge_media_to_sponsor_user')),
    username: at(node, 'owner', 'username'),
    ownerId: at(node, 'owner', 'id'),
    ownerNodeId: undefined,
    coauthors: listAt(node, 'coauthor_producers').map((user) => at(user, 'username')),
  };
}

/** Any connection of posts: `{count, page_info, edges}`. */
export function postsOf(connection: unknown): RawList<RawPost> {
  return {
    shape: 'L',
    items: nodes(connection).map(postOf),
    after: at(connection, 'page_info', 'end_cursor'),
    more: at(connection, 'page_info', 'has_next_page'),
    total: at(connection, 'count'),
  };
}

function commentOf(node: unknown, parentId?: unknown): RawComment {
  return {
    id: at(node, 'id'),
    username: at(node, 'owner', 'username'),
    text: at(node, 'text'),
    createdAt: at(node, 'created_at'),
    likes: at(node, 'edge_liked_by', 'count'),
    replies: at(node, 'edge_threaded_comments', 'count'),
    parentId,
  };
}

/** The comments of a post, each before its replies, which do not name it themselves. */
export function commentsOf(post: unknown): RawList<RawComment> | undefined {
  const threaded = at(post, 'edge_media_to_parent_comment');
  const connection = threaded ?? at(post, 'edge_media_to_comment');
  if (connection === undefined || connection === null) return undefined;
  return {
    shape: 'L',
    items: nodes(connection).flatMap((node) => [
      commentOf(node),
      ...nodes(at(node, 'edge_threaded_comments')).map((reply) => commentOf(reply, at(node, 'id'))),
    ]),
    after: at(connection, 'page_info', 'end_cursor'),
    more: at(connection, 'page_info', 'has_next_page'),
    total: at(connection, 'count'),
  };
}

/** The public posts of a hashtag: those on top, then the others. */
export function hashtagOf(hashtag: unknown): RawList<RawPost> {
  const recent = postsOf(at(hashtag, 'edge_hashtag_to_media'));
  return { ...recent, items: [...postsOf(at(hashtag, 'edge_hashtag_to_top_posts')).items, ...recent.items] };
}
