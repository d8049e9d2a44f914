import { idOrNull, textOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';
import type { Subject } from './page-data.js';
import { itemPost, legacyPost, polarisPost, type RawPost } from './post-shapes.js';
import { connectionOf, nodesOf, type RawList } from './raw-list.js';

const polarisPosts = (connection: unknown): RawList<RawPost> =>
  connectionOf('P', connection, nodesOf(connection).map(polarisPost), undefined);

const itemPosts = (connection: unknown): RawList<RawPost> =>
  connectionOf('V1', connection, nodesOf(connection).map(itemPost), undefined);

const legacyPosts = (connection: unknown): RawList<RawPost> =>
  connectionOf('L', connection, nodesOf(connection).map(legacyPost), at(connection, 'count'));

const handleOrNull = (value: unknown) => textOrNull(value)?.toLowerCase() ?? null;

/** A feed: `{items, more_available, next_max_id}`. Accounts that do not exist get an empty one, too. */
function itemFeed(feed: unknown): RawList<RawPost> {
  return {
    shape: 'V1',
    items: listAt(feed, 'items').map(itemPost),
    after: at(feed, 'next_max_id'),
    more: at(feed, 'more_available'),
    total: undefined,
  };
}

/** The posts of an account, with what the same object says of the account. */
export interface RawTimeline extends RawList<RawPost> {
  readonly username: unknown;
  readonly ownerId: unknown;
  /** The id by which current documents fetch the next source page. */
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
  return at(list, 'edges') === undefined ? undefined : timeline(polarisPosts(list), user);
}

const namesOf = (post: RawPost) => [post.username, ...(post.coauthors ?? [])].map(handleOrNull);

/**
 * Returns whether a list belongs to the account; null if it does not say. It does if its name says so, if one of its
 * IDs is the account's, or if a post by the account has its owner's ID. A list without a name has the account on each
 * of its posts.
 */
export function isTimelineOf(
  list: RawTimeline,
  username: string,
  knownIds: readonly (string | null)[],
): boolean | null {
  const owner = handleOrNull(list.username);
  if (owner !== null) return owner === username;
  const isKnown = (id: unknown) => idOrNull(id) !== null && knownIds.includes(idOrNull(id));
  if (isKnown(list.ownerId) || isKnown(list.nodeId)) return true;
  const ids = [list.ownerId, list.nodeId].map(idOrNull).filter((id) => id !== null);
  const isOfAccount = (post: RawPost) =>
    handleOrNull(post.username) === username &&
    [post.ownerId, post.ownerNodeId].map(idOrNull).some((id) => id !== null && ids.includes(id));
  if (ids.length > 0) return list.items.some(isOfAccount);
  return list.items.length === 0
    ? null
    : list.items.every((post) => namesOf(post).includes(username) || isKnown(post.ownerId));
}

export const timelineSubject: Subject<RawTimeline> = {
  hint: 'polaris_ordered_timeline_connection',
  nameOf: (list) => list.username ?? list.items.flatMap(namesOf).find((name) => name !== null),
  roots: [
    ['xig_user_by_username', orderedTimeline],
    ['node', orderedTimeline],
    [
      'xdt_api__v1__feed__user_timeline_graphql_connection',
      (list, _, request) => timeline(itemPosts(list), { username: at(request(), 'username') }),
    ],
    [
      'items',
      (items, feed) => (Array.isArray(items) ? timeline(itemFeed(feed), at(feed, 'user')) : undefined),
    ],
    [
      'user',
      (user) => {
        const list = at(user, 'edge_owner_to_timeline_media');
        return at(list, 'edges') === undefined ? undefined : timeline(legacyPosts(list), user);
      },
    ],
  ],
};

/** The posts of a hashtag: rows of three, or of one reel next to smaller ones. */
function itemsOfSections(part: unknown): RawPost[] {
  return listAt(part, 'sections').flatMap((section) => {
    const content = at(section, 'layout_content');
    return [
      ...listAt(content, 'one_by_two_item', 'clips', 'items'),
      ...listAt(content, 'fill_items'),
      ...listAt(content, 'medias'),
    ].map((item) => itemPost(at(item, 'media')));
  });
}

function itemHashtag(tag: unknown): RawList<RawPost> {
  const top = at(tag, 'top');
  const recent = at(tag, 'recent');
  return {
    shape: 'V1',
    items: [...itemsOfSections(top), ...itemsOfSections(recent)],
    after: at(recent, 'next_max_id') ?? at(top, 'next_max_id'),
    more: at(recent, 'more_available') === true || at(top, 'more_available'),
    total: at(tag, 'media_count'),
  };
}

/** The public posts of a hashtag: the top ones, then the others. */
function legacyHashtag(hashtag: unknown): RawList<RawPost> {
  const recent = legacyPosts(at(hashtag, 'edge_hashtag_to_media'));
  return {
    ...recent,
    items: [...legacyPosts(at(hashtag, 'edge_hashtag_to_top_posts')).items, ...recent.items],
  };
}

/** Normalises words to compare hashtags; the platform separates them by spaces or hyphens. */
export interface RawHashtag extends RawList<RawPost> {
  readonly name: unknown;
}

/** Normalises words to compare hashtags; the platform separates them by spaces or hyphens. */
const wordsOf = (value: unknown) =>
  textOrNull(value)
    ?.normalize('NFC')
    .toLowerCase()
    .replace(/[\s-]+/g, '') ?? null;

/** True for the list of a hashtag: by its name, or else by a caption that contains the hashtag. */
export function isListOfTag(list: RawHashtag, tag: string): boolean {
  const tagWords = wordsOf(list.name);
  if (tagWords !== null) return tagWords === wordsOf(tag);
  return list.items.length === 0 || list.items.some((post) => wordsOf(post.caption)?.includes(tag));
}

const sections = (_: unknown, tag: unknown): RawHashtag => ({
  ...itemHashtag(tag),
  name: at(tag, 'name'),
});

export const hashtagSubject: Subject<RawHashtag> = {
  hint: 'xig_logged_out_popular_search_media_info',
  nameOf: (list) => list.name,
  roots: [
    [
      'xig_logged_out_popular_search_media_info',
      (list, _, request) => ({ ...polarisPosts(list), name: at(request(), 'keyword') }),
    ],
    ['hashtag', (tag) => ({ ...legacyHashtag(tag), name: at(tag, 'name') })],
    ['top', sections],
    ['recent', sections],
  ],
};
