import { ExtractError } from '../../errors/extract-error.js';
import { countOrNull, idOrNull, intOrNull, isoFromUnix, textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, listAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page, PageRequest } from '../../web/page-source.js';
import { apiBody, continuation } from './api-body.js';
import { sourceOfComment } from './item-sources.js';
import type { ShortvideoComment } from './objects.js';
import { refuseByCode } from './outcome.js';
import { inVideoPage } from './page-requests.js';
import { home, videoUrl } from './urls.js';

/** The request for comments of a video from an offset on; `aid` names the web site among the platform's programs. */
export const commentRequest = (id: string, cursor: number, count: number): PageRequest => ({
  url: `${home}/api/comment/list/?aid=1988&aweme_id=${id}&count=${count}&cursor=${cursor}`,
  headers: { accept: 'application/json', referer: videoUrl(id) },
  browser: {
    holds: inVideoPage,
    pageRequest: {
      page: videoUrl(id),
      paths: ['/api/comment/list'],
      params: { aweme_id: id },
      ...(cursor === 0 ? {} : { from: { params: { cursor: String(cursor) } } }),
      later: /[?&]cursor=[1-9]/,
      holds: ['"cid"'],
      gestures: { open: ['[data-e2e="comment-icon"]'], scroll: 'page' },
    },
  },
});

/** One answer of the comment list. */
export interface CommentList {
  /** Comments in the platform's order, each followed by those of its replies that the list shows with it. */
  readonly comments: readonly Located<ShortvideoComment>[];
  /** Offset of the next answer, or null at the end. */
  readonly next: number | null;
  /** The answer says that nothing follows. */
  readonly end: boolean;
}

/** Row of a comment list → object. Throws `platform_changed` for one about another video. */
function readComment(row: unknown, id: string): Located<ShortvideoComment> {
  const video = requireValue(idOrNull(at(row, 'aweme_id')), 'the video of a comment');
  if (video !== id) {
    throw new ExtractError('platform_changed', `A comment is about the video ${video}, not about ${id}.`);
  }
  const parent = idOrNull(at(row, 'reply_id'));
  const comment = {
    id: requireValue(idOrNull(at(row, 'cid')), 'the ID of a comment'),
    video_id: video,
    parent_comment_id: parent === '0' ? null : parent,
    username: textOrNull(at(row, 'user', 'unique_id')),
    text: textOrNull(at(row, 'text')),
    create_time: requireValue(isoFromUnix(at(row, 'create_time')), 'the time of a comment'),
    like_count: countOrNull(at(row, 'digg_count')),
    reply_count: countOrNull(at(row, 'reply_comment_total')),
  };
  return { item: comment, source: sourceOfComment(row, comment.id, video) };
}

/** Rows of a comment list → objects, each followed by those of its replies that the list shows with it. */
export const readComments = (rows: readonly unknown[], id: string): Located<ShortvideoComment>[] =>
  rows.flatMap((row) => [row, ...listAt(row, 'reply_comment')]).map((row) => readComment(row, id));

/**
 * Answer of `/api/comment/list/` (2026-02) to a request from `cursor` on. The offset grows by what was asked,
 * not by what came; one that does not grow is the end.
 */
export function readCommentList(page: Page, id: string, cursor: number): CommentList {
  const body = apiBody(page);
  refuseByCode(
    requireValue(intOrNull(at(body, 'status_code')), 'a status code'),
    // The answer before this one listed comments of the video.
    cursor === 0 ? 'video_not_found' : 'platform_changed',
    `The platform lists no comments of ${id}, as of a video that is missing.`,
  );
  const rows = at(body, 'comments');
  if (rows !== null && !Array.isArray(rows)) {
    throw new ExtractError('platform_changed', 'The answer came without its list of comments.');
  }
  const { next, end } = continuation(at(body, 'has_more'), rows ?? [], intOrNull(at(body, 'cursor')));
  const comments = readComments(rows ?? [], id);
  return { comments, next: next !== null && next > cursor ? next : null, end };
}
