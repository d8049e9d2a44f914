import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { intOrNull, textOrNull } from '../../read/convert.js';
import { locatedData } from '../../read/item-source.js';
import { at } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { commentRowsOf } from './api-data.js';
import { type CommentList, commentRequest, readCommentList, readComments } from './comment-list.js';
import { fetchVideoPage } from './fetch-video-page.js';
import { shortvideoComment } from './objects.js';
import { afterPage } from './page-requests.js';
import { resolveVideo } from './short-link.js';
import { site } from './site.js';
import { videoOf, videoParams } from './urls.js';
import { readVideo } from './video-page.js';
import { missingVideo } from './withheld.js';

/** The largest number of comments that the platform gives at once (2026-02). */
const maxComments = 50;

/** One part of the list, and where it came from. */
interface FoundComments extends CommentList {
  /** How many there are, as far as the page counts them. */
  readonly total: number | null;
  readonly inPage: boolean;
}

/**
 * The comments that the video's own page holds. Pages for phones have the first ten (2026), without a way to the next
 * ones. A count of 0 proves that there are none, which the list says of a video that is gone, too.
 */
async function fromPage(id: string, session: PageSession): Promise<FoundComments> {
  const page = await fetchVideoPage(id, session);
  const video = readVideo(page, id);
  if (video === null) throw await missingVideo(id, session);
  const { comment_count: total } = video.item;
  const comments = readComments(commentRowsOf(page, id), id);
  if (comments.length > 0 || total === 0) return { comments, next: null, end: false, total, inPage: true };
  throw new ExtractError(
    'platform_restricted',
    `The video has ${total ?? 'an unknown number of'} comments, and the platform lists none of them to visitors who are not signed in.`,
  );
}

/** Refusals of the list after which the page is read. A platform that asks for fewer requests gets no further one. */
const leadsToPage: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_login_required',
  'platform_unavailable',
]);

/**
 * The list's word that there is no such video, or that it is private, by its code alone. It says so of one that it
 * withholds here, too: the page decides.
 */
const saysMissing = (error: unknown) => error instanceof ExtractError && error.type === 'not_found';

/** The comments as the platform lists them, from an offset on. */
async function listed(id: string, cursor: number, count: number, session: PageSession) {
  const list = readCommentList(await session.fetch(commentRequest(id, cursor, count)), id, cursor);
  return { ...list, total: null, inPage: false };
}

/** The beginning of the list in a browser, where the video's page asks for it by itself. */
async function firstInBrowser(id: string, count: number, session: PageSession): Promise<FoundComments> {
  const read = async () => readVideo(await fetchVideoPage(id, session), id);
  return afterPage(read, async (video) => {
    const isNone = video === null || video?.item.comment_count === 0;
    const list = isNone
      ? null
      : await listed(id, 0, count, session).catch((error: unknown) => {
          if (saysMissing(error)) return null;
          throw error;
        });
    return list === null || list.comments.length === 0 ? fromPage(id, session) : list;
  });
}

/** The beginning of the list: as the platform lists it, or where that is refused or empty, from the video's page. */
async function firstComments(id: string, count: number, session: PageSession): Promise<FoundComments> {
  if (session.runsPages === true) return firstInBrowser(id, count, session);
  try {
    const list = await listed(id, 0, count, session);
    if (list.comments.length > 0) return list;
  } catch (refusal) {
    if (saysMissing(refusal)) return fromPage(id, session);
    if (!(refusal instanceof ExtractError) || !leadsToPage.has(refusal.code)) throw refusal;
    return fromPage(id, session).catch((error: unknown) => {
      throw error instanceof ExtractError && error.type === 'platform' ? refusal : error;
    });
  }
  return fromPage(id, session);
}

/** GET /shortvideo/comments */
export const comments = defineEndpoint({
  path: 'shortvideo/comments',
  operation: 'get_shortvideo_comments',
  summary: 'TikTok comments: on a video, a page at a time',
  description: [
    'Requests the list that the video page requests, without a signature: the platform answers some visitors and refuses others, and a refusal is platform_blocked, never an empty list. Where the list is refused, the video page is read: the pages that the platform makes for phones hold the first ten comments, without a next page; such an answer is cached for minutes only. With a browser, the page itself requests the list.',
    'Comments come in the platform’s order. A reply that the list includes follows its comment, with parent_comment_id set; other replies are only counted, in reply_count.',
    'A page may hold fewer than limit. You get an empty list only if the video page also says that there are no comments.',
  ].join(' '),
  credits: 3,
  cacheSeconds: 3600,
  site,
  params: videoParams,
  exactlyOne: ['url', 'id'],
  page: { max: maxComments },
  returns: shortvideoComment,
  many: true,
  columns: ['text', 'username', 'like_count', 'create_time', 'reply_count', 'parent_comment_id', 'id'],
  identify: videoOf,
  async read({ identity, limit, position, session }) {
    const id = textOrNull(at(position, 'id')) ?? (await resolveVideo(identity, session)).id;
    const cursor = intOrNull(at(position, 'cursor')) ?? 0;
    // Where the platform gave more at once than was wanted, the rest is asked for again and the beginning skipped.
    const skip = intOrNull(at(position, 'skip')) ?? 0;
    const count = Math.min(maxComments, skip + limit);
    let list: FoundComments;
    if (position === null) list = await firstComments(id, count, session);
    else if (at(position, 'page') === true) list = await fromPage(id, session);
    else list = await listed(id, cursor, count, session);
    const { comments, inPage, total, end } = list;
    const found = comments.slice(skip, skip + limit);
    const rest = skip + limit < comments.length;
    const next = rest ? { id, cursor, skip: skip + limit } : { id, cursor: list.next, skip: 0 };
    return {
      ...locatedData(found),
      ids: found.map(({ item }) => item.id),
      next: next.cursor === null ? null : inPage ? { ...next, page: true } : next,
      brief: inPage && found.length > 0,
      isEnd: end && !inPage,
      emptyProof: { total, end, leftOut: Math.min(skip, comments.length) },
    };
  },
});
