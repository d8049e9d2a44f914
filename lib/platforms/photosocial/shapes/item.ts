import { idOrNull } from '../../../read/convert.js';
import { at, listAt } from '../../../read/json.js';
import type { MediaType, RawComment, RawList, RawMedia, RawPost, RawProfile } from '../raw-types.js';
import { shortcodeOfId } from '../shortcode.js';
import { picturesOf } from './pictures.js';

/** Shape V1: the app's items, from REST answers and inside GraphQL as `xdt_api__v1__…`. */

export function profileOf(user: unknown): RawProfile {
  const phone = at(user, 'public_phone_number');
  const country = at(user, 'public_phone_country_code');
  return {
    id: at(user, 'pk') ?? at(user, 'id'),
    username: at(user, 'username'),
    name: at(user, 'full_name'),
    biography: at(user, 'biography'),
    bioLinks: at(user, 'bio_links'),
    externalUrl: at(user, 'external_url'),
    followers: at(user, 'follower_count'),
    follows: at(user, 'following_count'),
    posts: at(user, 'media_count'),
    verified: at(user, 'is_verified'),
    private: at(user, 'is_private'),
    business: at(user, 'is_business'),
    accountType: at(user, 'account_type'),
    categories: [at(user, 'category'), at(user, 'category_name')],
    showsCategory: at(user, 'should_show_category'),
    contact: {
      shown: at(user, 'should_show_public_contacts'),
      email: at(user, 'public_email'),
      phone: at(user, 'contact_phone_number') || (phone && country ? `+${country} ${phone}` : phone),
      phoneMethod: at(user, 'business_contact_method'),
      address: [at(user, 'address_street'), at(user, 'zip'), at(user, 'city_name')],
    },
  };
}

const types: ReadonlyMap<unknown, MediaType> = new Map([
  [1, 'IMAGE'],
  [2, 'VIDEO'],
  [8, 'CAROUSEL_ALBUM'],
]);

function mediaOf(item: unknown): RawMedia {
  return {
    type: types.get(at(item, 'media_type')) ?? null,
    images: picturesOf(item),
    videos: listAt(item, 'video_versions').map((version) => at(version, 'url')),
  };
}

export function postOf(item: unknown): RawPost {
  return {
    ...mediaOf(item),
    // `pk` is a JSON number beyond 2^53 in REST answers and has lost digits; `id` is text.
    shortcode: at(item, 'code') ?? shortcodeOfId(idOrNull(at(item, 'id')) ?? idOrNull(at(item, 'pk')) ?? ''),
    productType: at(item, 'product_type'),
    caption: at(item, 'caption', 'text'),
    takenAt: at(item, 'taken_at'),
    children: listAt(item, 'carousel_media').map(mediaOf),
    likes: at(item, 'like_count'),
    countsHidden: at(item, 'like_and_view_counts_disabled'),
    comments: [at(item, 'comment_count')],
    views: [at(item, 'play_count'), at(item, 'ig_play_count'), at(item, 'view_count')],
    paidPartnership: at(item, 'is_paid_partnership'),
    sponsors: listAt(item, 'sponsor_tags'),
    username: at(item, 'user', 'username'),
    ownerId: at(item, 'user', 'pk'),
    ownerNodeId: undefined,
    coauthors: listAt(item, 'coauthor_producers').map((user) => at(user, 'username')),
  };
}

/** A connection of items: `{page_info, edges}`. */
export function postsOf(connection: unknown): RawList<RawPost> {
  return {
    shape: 'V1',
    items: listAt(connection, 'edges').map((edge) => postOf(at(edge, 'node'))),
    after: at(connection, 'page_info', 'end_cursor'),
    more: at(connection, 'page_info', 'has_next_page'),
    total: undefined,
  };
}

/** A feed: `{items, more_available, next_max_id}`. An empty one comes for accounts that do not exist, too. */
export function feedOf(feed: unknown): RawList<RawPost> {
  return {
    shape: 'V1',
    items: listAt(feed, 'items').map(postOf),
    after: at(feed, 'next_max_id'),
    more: at(feed, 'more_available'),
    total: undefined,
  };
}

function commentOf(comment: unknown): RawComment {
  return {
    id: at(comment, 'pk'),
    username: at(comment, 'user', 'username'),
    text: at(comment, 'text'),
    createdAt: at(comment, 'created_at_utc') ?? at(comment, 'created_at'),
    likes: at(comment, 'comment_like_count'),
    replies: at(comment, 'child_comment_count'),
    parentId: at(comment, 'parent_comment_id') ?? at(comment, 'replied_to_comment_id'),
  };
}

const withReplies = (comment: unknown) =>
  [comment, ...listAt(comment, 'preview_child_comments')].map(commentOf);

/** The comments of a REST answer, each before the replies it shows. */
export function commentsOf(answer: unknown): RawList<RawComment> {
  return {
    shape: 'V1',
    items: listAt(answer, 'comments').flatMap(withReplies),
    after: at(answer, 'next_min_id') ?? at(answer, 'next_max_id'),
    more: at(answer, 'has_more_headload_comments') === true || at(answer, 'has_more_comments'),
    total: at(answer, 'comment_count'),
  };
}

/** The comments of a connection. */
export function commentEdgesOf(connection: unknown): RawList<RawComment> {
  return {
    shape: 'V1',
    items: listAt(connection, 'edges').flatMap((edge) => withReplies(at(edge, 'node'))),
    after: at(connection, 'page_info', 'end_cursor'),
    more: at(connection, 'page_info', 'has_next_page'),
    total: undefined,
  };
}

/** The posts of a hashtag: rows of three, or of one reel beside smaller ones. */
function sectionsOf(part: unknown): RawPost[] {
  return listAt(part, 'sections').flatMap((section) => {
    const content = at(section, 'layout_content');
    return [
      ...listAt(content, 'one_by_two_item', 'clips', 'items'),
      ...listAt(content, 'fill_items'),
      ...listAt(content, 'medias'),
    ].map((item) => postOf(at(item, 'media')));
  });
}

export function hashtagOf(tag: unknown): RawList<RawPost> {
  const top = at(tag, 'top');
  const recent = at(tag, 'recent');
  return {
    shape: 'V1',
    items: [...sectionsOf(top), ...sectionsOf(recent)],
    after: at(recent, 'next_max_id') ?? at(top, 'next_max_id'),
    more: at(recent, 'more_available') === true || at(top, 'more_available'),
    total: at(tag, 'media_count'),
  };
}
