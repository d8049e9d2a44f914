import { ExtractError } from '../../errors/extract-error.js';
import { boolOrNull, countOrNull, idOrNull, textOrNull } from '../../read/convert.js';
import { at, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Part } from '../../routes/route.js';
import type { Page } from '../../web/page-source.js';
import type { DocumentName } from './documents.js';
import { accountFromEmbed, embeddedPosts } from './embed.js';
import { sourceOfPost } from './item-sources.js';
import { afterOf, endOf, refuseWithheld, withheldRest } from './list-part.js';
import { missingProfile } from './missing.js';
import type { PhotosocialPost } from './objects.js';
import { outdatedDocument } from './outcome.js';
import { find, findOptional, type Source } from './page-data.js';
import { postCountOf } from './page-meta.js';
import { isTimelineOf, type RawTimeline, timelineSubject } from './post-lists.js';
import { locatedPost, postObject } from './post-object.js';
import { isAccount } from './profile-answer.js';
import { profileSubject } from './profile-shapes.js';
import { emptyProofOf } from './raw-list.js';
import type { Account } from './subject.js';
import { profileEmbedUrl, profileUrl } from './urls.js';

const handle = (value: unknown) => textOrNull(value)?.toLowerCase() ?? null;

/**
 * The document that continues a list, by its shape: each accepts only its own cursors. Other lists end with the first
 * part.
 */
const nextDocuments: Readonly<Record<string, DocumentName>> = { P: 'postsNext', V1: 'fullPostsNext' };

/** What earlier parts have said of a list. */
interface ListProgress {
  /** Posts received so far. */
  readonly given: number;
  /** The account's own count of posts; null without one. */
  readonly total: number | null;
}

const beginning: ListProgress = { given: 0, total: null };

function partOf(
  list: RawTimeline,
  username: string,
  nodeId: string | null,
  before: ListProgress,
): Part<PhotosocialPost> {
  const ownPost = list.items.find((post) => handle(post.username) === username);
  const ownerId = idOrNull(list.ownerId) ?? idOrNull(ownPost?.ownerId);
  const { total } = before;
  const itemCount = before.given + list.items.length;
  const after = nextDocuments[list.shape] === undefined ? null : afterOf(list);
  const id =
    list.shape === 'P' ? (nodeId ?? idOrNull(list.nodeId) ?? idOrNull(ownPost?.ownerNodeId)) : ownerId;
  return {
    items: list.items.map((raw) => {
      const post = postObject(raw);
      // Some listings identify a post's owner by ID only.
      const isByOwner = post.username === null && ownerId !== null && idOrNull(raw.ownerId) === ownerId;
      const item = isByOwner ? { ...post, username } : post;
      return { item, source: sourceOfPost(item, raw) };
    }),
    next: after === null ? null : { shape: list.shape, after, id, given: itemCount, total },
    emptyProof: emptyProofOf(list),
    total,
    ended: endOf(list, itemCount, total),
  };
}

const privateAccount = () =>
  new ExtractError('account_private', 'The account is private: its posts are for followers only.');

/** Reads an account's first posts from a page or a document. Without proof, an empty list is refused. */
export function readTimeline(
  page: Page,
  source: Source,
  username: string,
  before: ListProgress = beginning,
): Part<PhotosocialPost> {
  const missing = missingProfile(username);
  const account = findOptional(page, source, profileSubject, missing, isAccount(username));
  const isOfAccount = (list: RawTimeline) => isTimelineOf(list, username, [idOrNull(account?.id)]);
  // A list that does not name its owner may only be an empty one.
  const isRequested = (list: RawTimeline) => isOfAccount(list) ?? list.items.length === 0;
  const list = findOptional(page, source, timelineSubject, missing, isRequested);
  const postCount =
    countOrNull(account?.posts) ?? (source === 'page' ? postCountOf(page, username) : null) ?? before.total;
  if (list !== undefined && list.items.length > 0) {
    return partOf(list, username, null, { ...before, total: postCount });
  }
  const isPrivate =
    boolOrNull(account?.private) ?? (list && isOfAccount(list) ? boolOrNull(list.private) : null);
  if (isPrivate === true) throw privateAccount();
  const existing = list ?? find(page, source, timelineSubject, missing, isRequested);
  const isProven = isOfAccount(existing) === true;
  const total = (isProven ? countOrNull(existing.total) : null) ?? postCount;
  // The account's own page says that it is public and that its list is empty and ends here.
  const proven = total ?? (isProven && isPrivate === false && existing.more === false ? 0 : null);
  refuseWithheld({ ...existing, total: proven }, 'the posts');
  return { items: [], next: null, emptyProof: { total: proven }, total: proven, ended: 'end' };
}

/** Reads twelve complete posts (2026-09). Without posts the response says nothing about the account. */
export function readFullPosts(
  page: Page,
  username: string,
  before: ListProgress = beginning,
): Part<PhotosocialPost> {
  const isOfAccount = (list: RawTimeline) => isTimelineOf(list, username, []) ?? false;
  const list = find(page, 'document', timelineSubject, outdatedDocument('whole posts'), isOfAccount);
  if (list.items.length === 0) throw new ExtractError('platform_changed', 'The answer has no posts.');
  return partOf(list, username, null, before);
}

/** Reads the posts on an account's embed page: at most six, with times and counts. */
export function readEmbeddedPosts(page: Page, username: string): Part<PhotosocialPost> {
  const account = accountFromEmbed(page, username, missingProfile(username));
  if (at(account, 'is_private') === true) throw privateAccount();
  const total = countOrNull(at(account, 'posts_count'));
  const items = embeddedPosts(account).map(locatedPost);
  const isComplete = total !== null && items.length >= total;
  return { items, next: null, emptyProof: { total }, total, ended: isComplete ? 'end' : 'visitors' };
}

/** Returns the counts on the account's embed page, if this call has opened it. */
export function countedSoFar({ guest, username }: Account): ListProgress {
  const page = guest.opened(profileEmbedUrl(username));
  try {
    return page === undefined
      ? beginning
      : { given: 0, total: readEmbeddedPosts(page, username).total ?? null };
  } catch {
    return beginning;
  }
}

export async function nextPosts(
  { guest, username }: Account,
  position: Json,
): Promise<Part<PhotosocialPost>> {
  const { shape, after, id } = position as { shape: string; after: string | null; id: string | null };
  const before = {
    given: countOrNull(at(position, 'given')) ?? 0,
    total: countOrNull(at(position, 'total')),
  };
  const document = requireValue(nextDocuments[shape], 'a way to its next posts');
  if (document === 'postsNext') requireValue(id, 'the ID that identifies it in requests for its next posts');
  const values = { username, after: requireValue(after, 'the place where its list continues'), id };
  const list = find(
    await guest.document(document, values, profileUrl(username)),
    'document',
    timelineSubject,
    outdatedDocument('the next posts'),
    (list) => isTimelineOf(list, username, [id]) ?? list.items.length === 0,
  );
  if (list.items.length > 0) return partOf(list, username, id, before);
  const ending = list.more === true ? 'visitors' : endOf(list, before.given, before.total);
  return { ...withheldRest, total: before.total, ended: ending };
}
