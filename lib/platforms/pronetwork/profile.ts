import { defineEndpoint } from '../../endpoint.js';
import { pageUrl as address, text } from '../../params/vocabulary.js';
import { pronetworkProfile } from './objects.js';
import { pageRequest } from './page-request.js';
import { site } from './site.js';
import { pageUrl, personOfName, personOfUrl } from './urls.js';

/** GET /pronetwork/profile */
export const profile = defineEndpoint({
  path: 'pronetwork/profile',
  operation: 'get_pronetwork_profile',
  summary: 'One person: headline, about, counts, experience, education and skills',
  description: `Read from the public profile page, as a logged-out visitor sees it. A person decides what that is, and the platform hides titles of some behind asterisks: those are null. A profile that is not public and one that never existed look alike, and both are profile_not_found.

Since 2025-11 about 2 % of public profiles show experience and education to logged-out visitors; before, 50 to 64 % did. The others show the present company and the school at most: an empty list or null there is the page's, not ours. What the page masks and its own structured data shows is given.

follower_count is exact where the page carries the number and else rounded as shown ("41M" is 41000000); connection_count 500 means 500 or more. Many profiles show no skills, which is null.`,
  credits: 10,
  cacheSeconds: 43_200,
  site,
  params: () => ({
    url: address('Address of the profile page, on any of the platform’s hosts.'),
    vanity_name: text('The part of the profile’s address behind /in/.'),
  }),
  exactlyOne: ['url', 'vanity_name'],
  renamed: { public_id: 'vanity_name', slug: 'vanity_name' },
  returns: pronetworkProfile,
  many: false,
  identify: ({ url, vanity_name }) => ({
    vanity: (vanity_name === undefined ? personOfUrl(url ?? '') : personOfName(vanity_name)).vanity,
  }),
  async read({ identity: { vanity }, session }) {
    const requested = { kind: 'in', vanity } as const;
    const page = await session.fetch(pageRequest(pageUrl(requested)));
    const { readProfilePage } = await import('./profile-page.js');
    return { data: readProfilePage(page, requested) };
  },
});
