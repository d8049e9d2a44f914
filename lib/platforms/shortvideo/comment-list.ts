import { ExtractError } from '../../errors/extract-error.js';
import { countOrNull, idOrNull, intOrNull, isoFromUnix, textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, listAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page, PageRequest } from '../../web/page-source.js';
import { apiBody, continuation } from './api-body.js';
import { sourceOfComment } from './item-sources.js';
import type { ShortvideoComment } from './objects.js';
import { isMissing, refuseByCode } from './outcome.js';
import { inVideoPage } from './page-requests.js';
import { home, videoUrl } from './urls.js';
import { noVideo } from './withheld.js';

/** Requests comments of a video from an offset; `aid` identifies the web site among the platform's programs. */
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

export interface CommentList {
  /** Comments in the platform's order, each followed by the replies that the list shows with it. */
  readonly comments: readonly Located<ShortvideoComment>[];
  /** Offset of the next response, or null at the end. */
  readonly next: number | null;
  /** True if the response says that nothing follows. It says so of lists that continue, too (2026-10). */
  readonly end: boolean;
  /** The response's own count of comments, including replies; null without one. */
  readonly total: number | null;
  /** How many of them the rows account for, including replies that they count. */
  readonly counted: number;
}

/** Throws `platform_changed` for a comment on another video. */
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

export const readComments = (rows: readonly unknown[], id: string): Located<ShortvideoComment>[] =>
  rows.flatMap((row) => [row, ...listAt(row, 'reply_comment')]).map((row) => readComment(row, id));

/**
 * Reads a response of `/api/comment/list/` (2026-02) to a request from `cursor`. The offset grows by the number
 * requested, not the number received; one that does not grow is the end.
 */
export function readCommentList(page: Page, id: string, cursor: number): CommentList {
  const body = apiBody(page);
  const code = requireValue(intOrNull(at(body, 'status_code')), 'a status code');
  if (isMissing(code) && cursor === 0) throw noVideo(id);
  // The previous response listed comments of the video.
  refuseByCode(
    code,
    'platform_changed',
    `The platform lists no more comments of ${id}, as if it were missing.`,
  );
  const rows = at(body, 'comments');
  if (rows !== null && !Array.isArray(rows)) {
    throw new ExtractError('platform_changed', 'The answer lacks its list of comments.');
  }
  const { next, end } = continuation(at(body, 'has_more'), rows ?? [], intOrNull(at(body, 'cursor')));
  const counts = (rows ?? []).map((row) => 1 + (countOrNull(at(row, 'reply_comment_total')) ?? 0));
  const rowCount = counts.reduce((sum, one) => sum + one, 0);
  const total = countOrNull(at(body, 'total'));
  return {
    comments: readComments(rows ?? [], id),
    next: next !== null && next > cursor ? next : null,
    end,
    // A 0 next to comments is unknown.
    total: total === 0 && rowCount > 0 ? null : total,
    counted: rowCount,
  };
}
