import type { Part, Route } from '../../../routes/route.js';
import type { ShortvideoComment } from '../objects.js';
import type { VideoSubject } from '../short-link.js';
import { readVideoEmbed, videoEmbed } from '../video-embed.js';
import { noVideo } from '../withheld.js';
import { unlistedComments } from './page-comments.js';

/** The embed page of a video, which counts its comments but lists none. */
export const embedComments: Route<VideoSubject, Part<ShortvideoComment>> = {
  name: 'embed-video',
  reads: 'The embed page of the video: whether there are any comments.',
  surface: 'embed',
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: {
    id: 'never',
    video_id: 'never',
    parent_comment_id: 'never',
    username: 'never',
    text: 'never',
    create_time: 'never',
    like_count: 'never',
    reply_count: 'never',
  },
  async read({ identity: { id }, session }) {
    const video = readVideoEmbed(await session.fetch(videoEmbed(id)), id);
    if (video === null) throw noVideo(id);
    const { comment_count: total } = video.item;
    if (total !== 0) throw unlistedComments(total);
    return { items: [], next: null, emptyProof: { total }, ended: 'end' };
  },
};
