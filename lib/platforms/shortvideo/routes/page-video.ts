import type { ObjectReading, Route } from '../../../routes/route.js';
import { fetchVideoPage } from '../fetch-video-page.js';
import type { ShortvideoVideo } from '../objects.js';
import type { VideoSubject } from '../short-link.js';
import { readVideoPage } from '../video-page.js';
import { noVideo } from '../withheld.js';

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
