import { countOrNull, idOrNull, isoFromUnix, textOrEmpty, textOrNull } from '../../read/convert.js';
import { at, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Part } from '../../routes/route.js';
import type { Page } from '../../web/page-source.js';
import { commentsSubject, type RawComment } from './comment-shapes.js';
import { sourceOfComment } from './item-sources.js';
import { afterOf, endOf, refuseWithheld, withheldRest } from './list-part.js';
import { missingPost } from './missing.js';
import type { PhotosocialComment } from './objects.js';
import { outdatedDocument } from './outcome.js';
import { find, type Source } from './page-data.js';
import { emptyProofOf } from './raw-list.js';
import { idOfShortcode, isPost } from './shortcode.js';
import type { Post } from './subject.js';
import { postUrl } from './urls.js';

/** Returns the text unchanged. Null if the page says that there is none, as with a picture or a sticker. */
function commentText(raw: unknown): string | null {
  if (raw === null) return null;
  const text = requireValue(textOrEmpty(raw), 'the text of a comment');
  return text.trim() === '' ? null : text;
}

/** Throws `platform_changed` if the author, the time or all mention of a text is missing. */
function commentObject(raw: RawComment): PhotosocialComment {
  return {
    username: requireValue(textOrNull(raw.username), 'the author of a comment'),
    text: commentText(raw.text),
    timestamp: requireValue(isoFromUnix(raw.createdAt), 'the time of a comment'),
    like_count: countOrNull(raw.likes),
    reply_count: countOrNull(raw.replies),
    parent_id: idOrNull(raw.parentId),
  };
}

/** An id that arrived as a number has lost digits, so the comment's content identifies it. */
const commentKey = (raw: RawComment): string =>
  idOrNull(raw.id) ?? JSON.stringify([raw.username, raw.createdAt, raw.text]);

/** What earlier parts have said of a list. */
interface ListProgress {
  readonly given: number;
  readonly total: number | null;
}

/**
 * Reads a part of the comments from a page or document. An empty first part is proven by the post's own count, or else
 * refused. `before` is null at the beginning.
 */
export function readComments(
  page: Page,
  source: Source,
  shortcode: string,
  before: ListProgress | null = null,
  isListRequest = false,
): Part<PhotosocialComment> {
  // Only a response to a request for the post itself can say that it does not exist.
  const missing = isListRequest ? outdatedDocument('the comments') : missingPost(shortcode);
  const list = find(page, source, commentsSubject, missing, ({ post }) => isPost(post, shortcode));
  const total = countOrNull(list.total) ?? before?.total ?? null;
  if (list.items.length === 0 && before !== null) {
    const ending = list.more === true ? 'visitors' : endOf(list, before.given, total);
    return { ...withheldRest, total, ended: ending };
  }
  if (before === null) refuseWithheld(list, 'the comments');
  const itemCount = (before?.given ?? 0) + list.items.length;
  // The platform's own string, JSON within JSON, is sent back byte for byte.
  const after = list.shape === 'P' ? afterOf(list) : null;
  // Without a cursor, the comments after the page's are found by requesting the list from its beginning.
  const begins = list.shape === 'P' && list.more !== false && !isListRequest && before === null;
  return {
    items: list.items.map((raw) => ({ item: commentObject(raw), source: sourceOfComment(raw, shortcode) })),
    ids: list.items.map(commentKey),
    next: after === null && !begins ? null : { after, given: after === null ? 0 : itemCount, total },
    emptyProof: emptyProofOf(list),
    total,
    ended: endOf(list, itemCount, total),
  };
}

const ask = ({ guest, shortcode }: Post, after: string | null) =>
  guest.document('comments', { id: idOfShortcode(shortcode), after }, postUrl(shortcode));

export const firstComments = async (post: Post): Promise<Part<PhotosocialComment>> =>
  readComments(await ask(post, null), 'document', post.shortcode, null, true);

export async function nextComments(post: Post, position: Json): Promise<Part<PhotosocialComment>> {
  const before = {
    given: countOrNull(at(position, 'given')) ?? 0,
    total: countOrNull(at(position, 'total')),
  };
  const after = textOrNull(at(position, 'after'));
  return readComments(await ask(post, after), 'document', post.shortcode, before, true);
}
