import { intOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { ObjectReading, Part, Route } from '../../../routes/route.js';
import { commentRowsOf } from '../api-data.js';
import { readComments } from '../comment-list.js';
import { fetchVideoPage } from '../fetch-video-page.js';
import type { ShortvideoComment, ShortvideoProfile, ShortvideoVideo } from '../objects.js';
import { profilePage } from '../page-requests.js';
import { readProfile } from '../profile-page.js';
import type { VideoSubject } from '../short-link.js';
import { countOfVideos, unlisted } from '../user-detail.js';
import { readVideoPage } from '../video-page.js';
import { noVideo, unlistedComments } from '../withheld.js';
import { notListed } from './embed.js';

export const pageProfile: Route<string, ObjectReading<ShortvideoProfile>> = {
  name: 'page',
  reads: 'The profile page, with exact counts and the link in the bio.',
  surface: 'page',
  seen: { month: '2026-09', from: ['datacentre'] },
  read: async ({ identity: username, session }) =>
    readProfile(await session.fetch(profilePage(username)), username),
};

/** The page of an account, which counts its videos but does not list them for plain requests. */
export const pageVideos: Route<string, Part<ShortvideoVideo>> = {
  name: 'page',
  reads: 'The profile page: whether there are any videos.',
  surface: 'page',
  seen: { month: '2026-09', from: ['datacentre'] },
  fills: {
    ...notListed,
    id: 'never',
    video_description: 'never',
    cover_image_url: 'never',
    view_count: 'never',
    play_url: 'never',
  },
  async read({ identity: username, session }) {
    const total = countOfVideos(await session.fetch(profilePage(username)), username);
    if (total === 0) return { items: [], next: null, emptyProof: { total }, ended: 'end' };
    throw unlisted(username, total);
  },
};

export const pageVideo: Route<VideoSubject, ObjectReading<ShortvideoVideo>> = {
  name: 'page-video',
  reads: 'The page of the video.',
  surface: 'page',
  seen: { month: '2026-09', from: ['datacentre'] },
  async read({ identity: { id, page = null }, session }) {
    const video = readVideoPage(await fetchVideoPage(id, session, page), id);
    if (video === null) throw noVideo(id);
    return { data: video.item, source: video.source, ofAuthor: video.ofAuthor };
  },
};

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
