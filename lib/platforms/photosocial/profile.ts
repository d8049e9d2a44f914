import { defineEndpoint } from '../../endpoint.js';
import { objectLadder } from '../../routes/ladder.js';
import { photosocialProfile } from './objects.js';
import { SubjectWithoutData } from './outcome.js';
import { profileDetails, profileDocument } from './routes/document.js';
import { profileHead } from './routes/head.js';
import { profileOembed } from './routes/oembed.js';
import { profilePage } from './routes/page.js';
import { profileEmbed } from './routes/user-embed.js';
import { site } from './site.js';
import { accountOfCall } from './subject.js';
import { accountOf, accountParams } from './urls.js';

export const profile = defineEndpoint({
  path: 'photosocial/profile',
  operation: 'get_photosocial_profile',
  summary: 'Instagram profile: name, bio, links, exact counts, verified, private, category',
  description:
    'Reads the page for embedding on other sites, which has the exact counts of followers and posts, and adds bio, links, verified and follows from the profile page. Logged-out visitors rarely see whether it is a business account, its category and its contact buttons; these are otherwise null. A private account still has a profile. If only the head of the page describes the account, the answer is brief: name, bio and counts as in the head, rounded from 10,000 up, and bio_links is null. Such an answer is cached for minutes only.',
  credits: 3,
  cacheSeconds: 43_200,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  returns: photosocialProfile,
  many: false,
  identify: accountOf,
  ladder: objectLadder({
    resolve: accountOfCall,
    routes: [profileEmbed, profilePage, profileDocument, profileHead],
    browser: [profilePage, profileDocument, profileEmbed, profileHead],
    // The document has everything the embed page lacks. The page costs most and comes last.
    completes: [
      { route: profileDetails, fields: ['follows_count', 'is_business_account'] },
      { route: profileDocument, fields: ['follows_count'] },
      { route: profilePage, fields: ['follows_count'] },
      { route: profileEmbed, fields: ['media_count'] },
    ],
    witnesses: [profileOembed],
    agreeing: 3,
    tells: profilePage,
    exists: (error) => error instanceof SubjectWithoutData,
  }),
});
