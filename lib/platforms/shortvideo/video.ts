import { defineEndpoint } from '../../endpoint.js';
import { objectLadder } from '../../routes/ladder.js';
import { shortvideoVideo } from './objects.js';
import { embedVideo } from './routes/embed-video.js';
import { oembedVideo } from './routes/oembed.js';
import { pageVideo } from './routes/page-video.js';
import { resolveVideo } from './short-link.js';
import { site } from './site.js';
import { videoOf, videoParams } from './urls.js';
import { unconfirmedVideo, withheldVideo } from './withheld.js';

/** A note on the addresses and counts of every video. */
export const videoNotes =
  'Counts are as published: exact below 10,000, then in hundreds. URLs of covers and files are signed and expire.';

export const video = defineEndpoint({
  path: 'shortvideo/video',
  operation: 'get_shortvideo_video',
  summary: 'TikTok video: caption, time, counts, hashtags, sound, file; photo posts, too',
  description: [
    'Reads the public video page. TikTok shows many visitors a waiting page instead. The answer then comes from the embed page, which has everything except favorites_count and the length of the sound. A photo post has no duration and no play_url.',
    videoNotes,
    'The file that the video page names is served only with the cookies of the page; expect a refusal without them. The embed page’s file needs none.',
    'A video that does not exist according to its pages is video_not_found if one says that it was deleted, or if the platform’s oEmbed answer does not know it, either. If they show that it is only withheld, it is platform_restricted, or account_private if only its author or friends may see it; if oEmbed cannot be read, platform_unavailable.',
  ].join(' '),
  credits: 2,
  cacheSeconds: 10_800,
  site,
  params: videoParams,
  exactlyOne: ['url', 'id'],
  returns: shortvideoVideo,
  many: false,
  identify: videoOf,
  ladder: objectLadder({
    resolve: resolveVideo,
    routes: [pageVideo, embedVideo],
    browser: [pageVideo],
    witnesses: [oembedVideo],
    withheld: withheldVideo,
    unconfirmed: unconfirmedVideo,
  }),
});
