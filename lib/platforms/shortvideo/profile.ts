import { defineEndpoint } from '../../endpoint.js';
import { objectLadder } from '../../routes/ladder.js';
import { shortvideoProfile } from './objects.js';
import { embedProfile } from './routes/embed-profile.js';
import { oembedAccount } from './routes/oembed.js';
import { pageProfile } from './routes/page-profile.js';
import { resolveAccount } from './short-link.js';
import { site } from './site.js';
import { accountOf, accountParams } from './urls.js';

export const profile = defineEndpoint({
  path: 'shortvideo/profile',
  operation: 'get_shortvideo_profile',
  summary: 'TikTok profile: name, bio, link, picture and counts',
  description: [
    'Reads the public profile page, whose counts are exact. TikTok shows many visitors a waiting page instead. The answer then comes from embed pages, which have everything except the link in the bio, and round counts from 10,000 up; it is cached for minutes only. An account that shows no videos there cannot be answered without its page.',
    'A banned account looks like one that never existed: both are profile_not_found, if the profile page says so, or an embed page and the platform’s oEmbed answer both do.',
  ].join(' '),
  credits: 3,
  cacheSeconds: 43_200,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  renamed: { handle: 'username' },
  returns: shortvideoProfile,
  many: false,
  identify: accountOf,
  ladder: objectLadder({
    resolve: resolveAccount,
    routes: [pageProfile, embedProfile],
    browser: [pageProfile],
    witnesses: [oembedAccount],
  }),
});
