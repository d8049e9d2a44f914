import type { ObjectReading, Route } from '../../../routes/route.js';
import type { ShortvideoProfile } from '../objects.js';
import { profilePage } from '../page-requests.js';
import { readProfile } from '../profile-page.js';

export const pageProfile: Route<string, ObjectReading<ShortvideoProfile>> = {
  name: 'page',
  reads: 'The profile page, with exact counts and the link in the bio.',
  surface: 'page',
  seen: { month: '2026-09', from: ['datacentre'] },
  read: async ({ identity: username, session }) =>
    readProfile(await session.fetch(profilePage(username)), username),
};
