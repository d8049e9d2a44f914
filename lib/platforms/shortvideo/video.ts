import { defineEndpoint } from '../../endpoint.js';
import { fetchVideoPage } from './fetch-video-page.js';
import { shortvideoVideo } from './objects.js';
import { resolveVideo } from './short-link.js';
import { site } from './site.js';
import { videoOf, videoParams } from './urls.js';
import { readVideo } from './video-page.js';
import { missingVideo } from './withheld.js';

/** A note on the addresses and counts of every video. */
export const videoNotes =
  'Counts are as published: exact below 10,000, then in hundreds. URLs of covers and files are signed and expire.';

/** GET /shortvideo/video */
export const video = defineEndpoint({
  path: 'shortvideo/video',
  operation: 'get_shortvideo_video',
  summary: 'TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too',
  description: [
    'Reads the public video page. A photo post has no duration and no play_url.',
    videoNotes,
    'The file is served only with the cookies of the page; expect a refusal without them.',
    'A video that does not exist according to its page is video_not_found if the page says that it was deleted, or the platform’s oEmbed answer knows none, either. If they show that it is only withheld, it is platform_restricted, or account_private where only its author or friends may see it; if oEmbed cannot be read, platform_unavailable.',
  ].join(' '),
  credits: 2,
  cacheSeconds: 10_800,
  site,
  params: videoParams,
  exactlyOne: ['url', 'id'],
  returns: shortvideoVideo,
  many: false,
  identify: videoOf,
  async read({ identity, session }) {
    const { id, page } = await resolveVideo(identity, session);
    // The page of a photo link carries its data elsewhere; under /video/ it is where that of a video is.
    const isVideoPage = page !== null && new URL(page.url).pathname.includes('/video/');
    const found = readVideo(await fetchVideoPage(id, session, isVideoPage ? page : null), id);
    if (found === null) throw await missingVideo(id, session);
    return { data: found.item, sources: [found.source] };
  },
});
