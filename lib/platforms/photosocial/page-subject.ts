import { at } from '../../read/json.js';
import type { Subject } from './find-in-body.js';
import type { RawComment, RawList, RawPost, RawProfile } from './raw-types.js';
import * as item from './shapes/item.js';
import * as legacy from './shapes/legacy.js';
import * as polaris from './shapes/polaris.js';
import * as xdt from './shapes/xdt.js';

const owns = (value: unknown, ...keys: readonly string[]) => keys.some((key) => at(value, key) !== undefined);

const profileSigns = ['username', 'full_name', 'biography', 'follower_count', 'is_private'];
const legacySigns = ['edge_followed_by', 'edge_follow', 'edge_owner_to_timeline_media'];

/** A profile. Profile pages hold a second object of the same name, with nothing but the timeline. */
export const profileSubject: Subject<RawProfile> = {
  hint: 'follower_count',
  roots: [
    ['xig_user_by_username', (user) => (owns(user, ...profileSigns) ? polaris.profileOf(user) : undefined)],
    [
      'user',
      (user) => {
        if (owns(user, ...legacySigns)) return legacy.profileOf(user);
        return owns(user, ...profileSigns) ? item.profileOf(user) : undefined;
      },
    ],
  ],
};

/** The posts of an account, with the account as far as the same object tells of it. */
export interface RawTimeline extends RawList<RawPost> {
  readonly username: unknown;
  readonly ownerId: unknown;
  /** The id by which the current documents ask for the next stretch. */
  readonly nodeId: unknown;
  readonly private: unknown;
}

function timeline(list: RawList<RawPost>, user: unknown): RawTimeline {
  return {
    ...list,
    username: at(user, 'username'),
    ownerId: at(user, list.shape === 'L' ? 'id' : 'pk'),
    nodeId: at(user, 'id'),
    private: at(user, 'is_private'),
  };
}

function orderedTimeline(user: unknown): RawTimeline | undefined {
  const list = at(user, 'polaris_ordered_timeline_connection');
  return at(list, 'edges') === undefined ? undefined : timeline(polaris.postsOf(list), user);
}

export const timelineSubject: Subject<RawTimeline> = {
  hint: 'polaris_ordered_timeline_connection',
  roots: [
    ['xig_user_by_username', orderedTimeline],
    ['node', orderedTimeline],
    [
      'xdt_api__v1__feed__user_timeline_graphql_connection',
      (list) => timeline(item.postsOf(list), undefined),
    ],
    [
      'items',
      (items, feed) => (Array.isArray(items) ? timeline(item.feedOf(feed), at(feed, 'user')) : undefined),
    ],
    [
      'user',
      (user) => {
        const list = at(user, 'edge_owner_to_timeline_media');
        return at(list, 'edges') === undefined ? undefined : timeline(legacy.postsOf(list), user);
      },
    ],
  ],
};

/** A post, or the words that the platform puts in place of one it withholds by country or age. */
export type PostOrGate = { readonly post: RawPost } | { readonly gate: string };

function polarisPost(outer: unknown): PostOrGate | undefined {
  const media = at(outer, 'if_not_gated_logged_out');
  if (media === undefined) return undefined;
  if (media !== null) return { post: polaris.postOf(media) };
  const ruling = at(outer, 'gating_ruling');
  const words = [at(ruling, 'title'), at(ruling, 'description')].filter((text) => typeof text === 'string');
  return { gate: words.join(': ') };
}

function firstItem(items: unknown): PostOrGate | undefined {
  const first = at(items, 0);
  return first === undefined || first === null ? undefined : { post: item.postOf(first) };
}

/** A post. A post's page also holds the owner's other posts, under the post's own user. */
export const postSubject: Subject<PostOrGate> = {
  hint: 'if_not_gated_logged_out',
  roots: [
    ['xig_polaris_media', polarisPost],
    ['xdt_api__v1__media__shortcode__web_info', (info) => firstItem(at(info, 'items'))],
    ['xdt_shortcode_media', (media) => ({ post: xdt.postOf(media) })],
    ['shortcode_media', (media) => ({ post: legacy.postOf(media) })],
    ['items', firstItem],
    ['media', (media) => (owns(media, 'code', 'shortcode') ? { post: legacy.postOf(media) } : undefined)],
  ],
};

/** The comments of a post, with the shortcode that the same object names. */
export interface RawComments extends RawList<RawComment> {
  readonly shortcode: unknown;
}

function commentsUnder(post: unknown, list: RawList<RawComment> | undefined): RawComments | undefined {
  return list === undefined ? undefined : { ...list, shortcode: at(post, 'code') ?? at(post, 'shortcode') };
}

export const commentsSubject: Subject<RawComments> = {
  hint: 'comments_connection',
  roots: [
    ['xig_polaris_media', (outer) => commentsUnder(outer, polaris.commentsOf(outer))],
    [
      'xdt_api__v1__media__media_id__comments__connection',
      (list) => commentsUnder(undefined, item.commentEdgesOf(list)),
    ],
    ['xdt_shortcode_media', (media) => commentsUnder(media, xdt.commentsOf(media))],
    ['shortcode_media', (media) => commentsUnder(media, legacy.commentsOf(media))],
    [
      'comments',
      (list, answer) => (Array.isArray(list) ? commentsUnder(undefined, item.commentsOf(answer)) : undefined),
    ],
  ],
};

/** The public posts for a hashtag, with the hashtag where the source names it. */
export interface RawHashtag extends RawList<RawPost> {
  readonly name: unknown;
}

const sections = (_: unknown, tag: unknown): RawHashtag => ({
  ...item.hashtagOf(tag),
  name: at(tag, 'name'),
});

export const hashtagSubject: Subject<RawHashtag> = {
  hint: 'xig_logged_out_popular_search_media_info',
  roots: [
    ['xig_logged_out_popular_search_media_info', (list) => ({ ...polaris.postsOf(list), name: undefined })],
    ['hashtag', (tag) => ({ ...legacy.hashtagOf(tag), name: at(tag, 'name') })],
    ['top', sections],
    ['recent', sections],
  ],
};
