import { ExtractError } from '../../../errors/extract-error.js';
import type { Part, Route } from '../../../routes/route.js';
import { itemListPart, searchListRequest } from '../item-list.js';
import type { ShortvideoVideo } from '../objects.js';
import type { SearchSubject } from './embed-hashtag.js';

/** The list that the search page requests as it is scrolled. */
export const browserSearch: Route<SearchSubject, Part<ShortvideoVideo>> = {
  name: 'browser',
  reads: 'The search page in a browser, scrolled, as far as visitors can see it.',
  surface: 'page',
  seen: { month: '2026-10', from: ['home'] },
  async read({ identity: { query }, session, limit, part }) {
    const request = (cursor: string) => searchListRequest(query, cursor);
    const list = await itemListPart(request, { limit, part, session });
    // The platform also returns an empty list to visitors that may not search (2024-2026).
    if (part === null && list.items.length === 0) {
      throw new ExtractError(
        'platform_login_required',
        'The search page lists no videos for a visitor who is not signed in.',
      );
    }
    return list.ended === 'end' ? { ...list, ended: 'visitors' } : list;
  },
};
