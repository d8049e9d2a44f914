import { ExtractError } from '../../../errors/extract-error.js';
import { intOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import { commentRowsOf } from '../api-data.js';
import { readComments } from '../comment-list.js';
import { fetchVideoPage } from '../fetch-video-page.js';
import type { ShortvideoComment } from '../objects.js';
import type { VideoSubject } from '../short-link.js';
import { readVideoPage } from '../video-page.js';
import { noVideo } from '../withheld.js';

/** The error for a video whose comments are counted but not listed. */
export const unlistedComments = (total: number | null) =>
  new ExtractError(
    'platform_restricted',
    `The video has ${total ?? 'an unknown number of'} comments, and the platform lists none of them to visitors who are not signed in.`,
  );

/**
 * The page of a video. On phones it contains the first ten comments (2026), and no cursor for more. A count of 0 proves
 * that there are none; the list alone does not, because it is also empty for deleted videos.
 */
export const pageComments: Route<VideoSubject, Part<ShortvideoComment>> = {
  name: 'page',
  reads: 'The video page: the first ten comments on pages for phones, and whether there are any.',
  surface: 'page',
  seen: { month: '2026-09', from: ['datacentre'] },
  fills: { parent_comment_id: 'some' },
  async read({ identity: { id, page: firstPage = null }, limit, part, session }) {
    const page = await fetchVideoPage(id, session, firstPage);
    const video = readVideoPage(page, id);
    if (video === null) throw noVideo(id);
    const { comment_count: total } = video.item;
    const comments = readComments(commentRowsOf(page, id), id);
    if (comments.length === 0 && total !== 0) throw unlistedComments(total);
    const skip = intOrNull(at(part, 'skip')) ?? 0;
    const to = skip + limit;
    return {
      items: comments.slice(skip, to),
      next: to < comments.length ? { id, skip: to } : null,
      emptyProof: { total, leftOut: Math.min(skip, comments.length) },
      total,
      ended: total === 0 ? 'end' : 'visitors',
      brief: comments.length > 0,
    };
  },
};
