import { defineEndpoint } from '../../endpoint.js';
import { text } from '../../params/vocabulary.js';
import { listLadder } from '../../routes/ladder.js';
import { hashtagOf, normalizeText } from './hashtag-embed.js';
import { shortvideoVideo } from './objects.js';
import { browserSearch } from './routes/browser-search.js';
import { discover } from './routes/discover.js';
import { embedHashtag } from './routes/embed-hashtag.js';
import { site } from './site.js';
import { videoNotes } from './video.js';
import { videoDetails } from './video-details.js';

export const search = defineEndpoint({
  path: 'shortvideo/search',
  operation: 'search_shortvideo_videos',
  summary: 'TikTok search: videos for a hashtag, a word or a phrase',
  description: [
    'The platform offers keyword search only to signed-in users. For one word, with or without #, you get the public list of that hashtag: about ten videos, on one page. The details of each come from its embed page, one request for each video; favorites_count comes from its own page, as long as TikTok serves that. If a page is refused, what the list lacks is null, and the answer is cached for minutes only.',
    'For a phrase, you get the videos of TikTok’s page for these words (tiktok.com/discover/…): its ranking for the United States, up to about 150 videos, neither the newest nor a search. Without such a page the error is platform_login_required, and free. With a browser, the search page is then opened, and you get what it lists for visitors.',
    videoNotes,
  ].join(' '),
  credits: 4,
  cacheSeconds: 10_800,
  site,
  params: () => ({ query: text('A hashtag, a word or a phrase; case does not matter.') }),
  page: { max: 30 },
  returns: shortvideoVideo,
  many: true,
  columns: [
    'video_description',
    'view_count',
    'create_time',
    'like_count',
    'comment_count',
    'share_count',
    'favorites_count',
    'duration',
    'hashtag_names',
    'sound.title',
    'id',
  ],
  identify: ({ query = '' }) => ({ query: normalizeText(hashtagOf(query) ?? query.replace(/\s+/g, ' ')) }),
  ladder: listLadder({
    routes: [embedHashtag, discover],
    browser: [browserSearch],
    items: videoDetails,
  }),
});
