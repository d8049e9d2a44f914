import { ExtractError } from '../../../errors/extract-error.js';
import type { Part, Route } from '../../../routes/route.js';
import { checkAuthors } from '../account-embed.js';
import { fetchVideoPage } from '../fetch-video-page.js';
import { itemListPart, searchListRequest, videoListRequest } from '../item-list.js';
import type { ShortvideoComment, ShortvideoVideo } from '../objects.js';
import { afterPage, profilePage } from '../page-requests.js';
import type { VideoSubject } from '../short-link.js';
import { countOfVideos, unlisted } from '../user-detail.js';
import { readVideoPage } from '../video-page.js';
import { noVideo, unlistedComments } from '../withheld.js';
import { commentsFrom } from './api-comments.js';
import type { SearchSubject } from './embed.js';

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

/** The list that a video's page requests as it is scrolled. */
export const browserComments: Route<VideoSubject, Part<ShortvideoComment>> = {
  name: 'browser',
  reads: 'The video page in a browser, its comments opened and scrolled.',
  surface: 'page',
  seen: { month: '2026-10', from: ['home'] },
  read({ identity: { id }, limit, part, session }) {
    if (part !== null) return commentsFrom(id, { limit, part, session });
    const readVideo = async () => readVideoPage(await fetchVideoPage(id, session), id);
    return afterPage(readVideo, async (video) => {
      if (video === null) throw noVideo(id);
      const total = video?.item.comment_count ?? null;
      if (total === 0) return { items: [], next: null, emptyProof: { total }, ended: 'end' };
      const comments = await commentsFrom(id, { limit, part, session });
      if (comments.items.length === 0) throw unlistedComments(total);
      return { ...comments, total: total ?? comments.total ?? null };
    });
  },
};
