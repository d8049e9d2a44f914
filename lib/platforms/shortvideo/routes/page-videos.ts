import type { Part, Route } from '../../../routes/route.js';
import type { ShortvideoVideo } from '../objects.js';
import { profilePage } from '../page-requests.js';
import { countOfVideos, unlisted } from '../user-detail.js';
import { notListed } from './embed-videos.js';

/** The page of an account, which counts its videos but does not list them for plain requests. */
export const pageVideos: Route<string, Part<ShortvideoVideo>> = {
  name: 'page',
  reads: 'The profile page: whether there are any videos.',
  surface: 'page',
  seen: { month: '2026-09', from: ['datacentre'] },
  fills: {
    ...notListed,
    id: 'never',
    video_description: 'never',
    cover_image_url: 'never',
    view_count: 'never',
    play_url: 'never',
  },
  async read({ identity: username, session }) {
    const total = countOfVideos(await session.fetch(profilePage(username)), username);
    if (total === 0) return { items: [], next: null, emptyProof: { total }, ended: 'end' };
    throw unlisted(username, total);
  },
};
