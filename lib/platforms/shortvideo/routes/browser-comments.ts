import type { Part, Route } from '../../../routes/route.js';
import { fetchVideoPage } from '../fetch-video-page.js';
import type { ShortvideoComment } from '../objects.js';
import { afterPage } from '../page-requests.js';
import type { VideoSubject } from '../short-link.js';
import { readVideoPage } from '../video-page.js';
import { noVideo } from '../withheld.js';
import { commentsFrom } from './api-comments.js';
import { unlistedComments } from './page-comments.js';

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
