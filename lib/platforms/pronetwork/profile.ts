import { defineEndpoint } from '../../endpoint.js';
import { pageUrl as address, text } from '../../params/vocabulary.js';
import { person } from '../../person.js';
import { objectLadder } from '../../routes/ladder.js';
import { pronetworkProfile } from './objects.js';
import { profilePage } from './routes/profile-page.js';
import { site } from './site.js';
import { personOfName, personOfUrl } from './urls.js';

const hint = { of: ['username'], as: 'name' } as const;

export const profile = defineEndpoint({
  path: 'pronetwork/profile',
  operation: 'get_pronetwork_profile',
  summary: 'LinkedIn profile: headline, about, counts, experience, education and skills',
  description: `Reads the public profile page, as a logged-out visitor sees it. People choose what that includes, and the platform hides some titles behind asterisks: those are null. A profile that is not public looks like one that never existed: both are profile_not_found.

Since 2025-11, about 2% of public profiles have shown experience and education to logged-out visitors; before, 50 to 64% did. The others show at most the current company and the school, so an empty list or null there is what the page says. Values that the page masks but that its structured data contains are included.

follower_count is exact if the page has the number, otherwise rounded as shown ("41M" is 41000000). A connection_count of 500 means 500 or more. Many profiles show no skills: null.`,
  credits: 10,
  cacheSeconds: 43_200,
  site,
  params: () => ({
    url: address('URL of the profile page, on any of the platform’s hosts.').register(person, hint),
    vanity_name: text('The part of the profile’s URL after /in/.').register(person, hint),
  }),
  exactlyOne: ['url', 'vanity_name'],
  renamed: { public_id: 'vanity_name', slug: 'vanity_name' },
  returns: pronetworkProfile,
  many: false,
  identify: ({ url, vanity_name }) => ({
    vanity: (vanity_name === undefined ? personOfUrl(url ?? '') : personOfName(vanity_name)).vanity,
  }),
  ladder: objectLadder({ routes: [profilePage] }),
});
