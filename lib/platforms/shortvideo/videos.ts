import { defineEndpoint } from '../../endpoint.js';
import { listLadder } from '../../routes/ladder.js';
import { shortvideoVideo } from './objects.js';
import { browserVideos } from './routes/browser-videos.js';
import { embedVideos } from './routes/embed-videos.js';
import { oembedAccount } from './routes/oembed.js';
import { pageVideos } from './routes/page-videos.js';
import { resolveAccount } from './short-link.js';
import { site } from './site.js';
import { accountOf, accountParams } from './urls.js';
import { videoNotes } from './video.js';
import { videoDetails } from './video-details.js';

export const videos = defineEndpoint({
  path: 'shortvideo/videos',
  operation: 'get_shortvideo_videos',
  summary: 'TikTok videos: the newest of one account',
  description: [
    'Without a browser, you get the newest 8 to 13 videos and photo posts, pinned ones first, and no further page. With a browser, the account’s page is scrolled, and you get the list as far as visitors can see it.',
    'The details of each of these videos come from its embed page, one request for each video; favorites_count comes from its own page, as long as TikTok serves that. If a page is refused, what the list lacks is null, and the answer is cached for minutes only.',
    videoNotes,
    'You get an empty list only if the profile page says that there are no videos.',
  ].join(' '),
  credits: 3,
  cacheSeconds: 10_800,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  renamed: { handle: 'username' },
  page: { max: 30 },
  returns: shortvideoVideo,
  many: true,
  columns: [
    'video_description',
    'create_time',
    'view_count',
    'like_count',
    'comment_count',
    'share_count',
    'favorites_count',
    'duration',
    'hashtag_names',
    'sound.title',
    'id',
  ],
  identify: accountOf,
  ladder: listLadder({
    resolve: resolveAccount,
    routes: [embedVideos, pageVideos],
    browser: [browserVideos],
    witnesses: [oembedAccount],
    items: { ...videoDetails, ofOneAuthor: true },
  }),
});
