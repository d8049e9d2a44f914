import type { ObjectReading, Route } from '../../../routes/route.js';
import type { ShortvideoVideo } from '../objects.js';
import type { VideoSubject } from '../short-link.js';
import { readVideoEmbed, videoEmbed } from '../video-embed.js';
import { noVideo } from '../withheld.js';

export const embedVideo: Route<VideoSubject, ObjectReading<ShortvideoVideo>> = {
  name: 'embed-video',
  reads: 'The embed page of the video: all but how often it was saved and how long its sound is.',
  surface: 'embed',
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: { favorites_count: 'never' },
  async read({ identity: { id }, session }) {
    const video = readVideoEmbed(await session.fetch(videoEmbed(id)), id);
    if (video === null) throw noVideo(id);
    return { data: video.item, source: video.source, ofAuthor: video.author.video_count };
  },
};
