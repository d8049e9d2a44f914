import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { intOrNull, textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { commentRequest, readCommentList } from './comment-list.js';
import { shortvideoComment } from './objects.js';
import { videoPage } from './page-requests.js';
import { resolveVideo } from './short-link.js';
import { site } from './site.js';
import { videoOf, videoParams } from './urls.js';
import { readVideo } from './video-page.js';
import { missingVideo } from './withheld.js';

/** The largest number of comments that the platform gives at once (2026-02). */
const maxComments = 50;

/**
 * Asks the video's own page whether there are no comments: the count of 0 that it holds. The list says the same of a
 * video that is gone.
 */
async function proveEmpty(id: string, session: PageSession): Promise<number> {
  const video = readVideo(await session.fetch(videoPage(id)), id);
  if (video === null) throw await missingVideo(id, session);
  if (video.comment_count === 0) return 0;
  throw new ExtractError(
    'platform_restricted',
    `The video has ${video.comment_count ?? 'an unknown number of'} comments, and the platform lists none of them to visitors who are not signed in.`,
  );
}

/** GET /shortvideo/comments */
export const comments = defineEndpoint({
  path: 'shortvideo/comments',
  operation: 'get_shortvideo_comments',
  summary: 'TikTok comments: those on a video, a page at a time',
  description: [
    'Requests the list that the video page requests, without a signature: the platform answers some visitors and refuses others, and a refusal is platform_blocked, never an empty list. With a browser, the page itself requests the list.',
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
    const request = commentRequest(id, cursor, Math.min(maxComments, skip + limit));
    const list = readCommentList(await session.fetch(request), id, cursor);
    const isEmpty = position === null && list.comments.length === 0;
    const total = isEmpty ? await proveEmpty(id, session) : null;
    const data = list.comments.slice(skip, skip + limit);
    const rest = skip + limit < list.comments.length;
    const next = rest ? { id, cursor, skip: skip + limit } : { id, cursor: list.next, skip: 0 };
    return {
      data,
      ids: data.map((comment) => comment.id),
      next: next.cursor === null ? null : next,
      emptyProof: { total, end: list.end, leftOut: Math.min(skip, list.comments.length) },
    };
  },
});
