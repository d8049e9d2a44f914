import type { Part, Route } from '../../../routes/route.js';
import { checkAuthors } from '../account-embed.js';
import { itemListPart, videoListRequest } from '../item-list.js';
import type { ShortvideoVideo } from '../objects.js';
import { afterPage, profilePage } from '../page-requests.js';
import { countOfVideos, unlisted } from '../user-detail.js';

/** The list that an account's page requests as it is scrolled. */
export const browserVideos: Route<string, Part<ShortvideoVideo>> = {
  name: 'browser',
  reads: 'The profile page in a browser, scrolled: the list as far as visitors can see it.',
  surface: 'page',
  seen: { month: '2026-10', from: ['home'] },
  read({ identity: username, session, limit, part }) {
    const count = async () =>
      part === null ? countOfVideos(await session.fetch(profilePage(username)), username) : null;
    return afterPage(count, async (total = null) => {
      if (total === 0) return { items: [], next: null, emptyProof: { total }, ended: 'end' };
      const request = (cursor: string) => videoListRequest(username, cursor);
      const list = await itemListPart(request, { limit, part, session });
      checkAuthors(list.authors, username);
      if (part === null && list.items.length === 0) throw unlisted(username, total);
      return { ...list, total };
    });
  },
};
