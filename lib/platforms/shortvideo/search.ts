import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { text } from '../../params/vocabulary.js';
import { countOrNull, textOrEmpty } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { embedNode, listedVideos } from './embed.js';
import { itemListPage, searchListRequest } from './item-list.js';
import { shortvideoVideo } from './objects.js';
import { site } from './site.js';
import { home } from './urls.js';
import { videoNotes } from './video.js';
import { type VideoWindow, windowPage } from './window.js';

/** Path of the page that other sites embed to show the videos of a hashtag. */
const embedPath = (tag: string) => `/embed/tag/${encodeURIComponent(tag)}`;

/** The form in which words are compared. */
const normalizeText = (text: string) => text.normalize('NFC').toLowerCase();

/** The hashtag that a query is: one word of letters, digits and _, with or without #; else null. */
function hashtagOf(query: string): string | null {
  return /^#?([\p{L}\p{N}\p{M}_]{1,100})$/u.exec(query)?.[1] ?? null;
}

/** Embed page of a hashtag → its videos in the page's order. Throws `hashtag_not_found`. */
function readHashtag(page: Page, tag: string): VideoWindow {
  const node = embedNode(page, embedPath(tag));
  if (node === undefined)
    throw refusal('unknown_layout', 'The embed page shows no list, and does not say why.');
  const info = at(node, 'embedInfo');
  const title = node === null ? '' : requireValue(textOrEmpty(at(info, 'title')), 'the name of its hashtag');
  if (title === '') {
    throw new ExtractError('hashtag_not_found', `The platform has no public list for the hashtag #${tag}.`);
  }
  if (normalizeText(title.replace(/^#/, '')) !== tag) {
    throw new ExtractError('platform_changed', `The list is that of #${title}, not of #${tag}.`);
  }
  const videos = listedVideos(node);
  const total = countOrNull(at(info, 'videoCount'));
  const isUnused = total === 0 && countOrNull(at(info, 'viewCount')) === 0;
  if (videos.length > 0 || isUnused) return { videos, total };
  throw new ExtractError(
    'platform_restricted',
    `The platform lists no videos of #${tag} to visitors who are not signed in.`,
  );
}

/** An empty list is what the platform gives visitors whom it does not let search, too (2024-2026). */
const withheld = () =>
  new ExtractError(
    'platform_login_required',
    'The search page lists no videos for a visitor who is not signed in.',
  );

/** GET /shortvideo/search */
export const search = defineEndpoint({
  path: 'shortvideo/search',
  operation: 'search_shortvideo_videos',
  summary: 'TikTok search: videos for one word or hashtag',
  description: [
    'The platform offers keyword search only to signed-in users. Everybody else gets a list of about ten videos for each hashtag, on one page.',
    'So a query of one word, with or without #, gives the public list of that hashtag; any other query is platform_login_required, and free. With a browser, the search page is opened, and you get what it lists for visitors.',
    'The details of each video of a hashtag come from its own page, one request for each video. If such a page is refused, what the list lacks is null, and the answer is cached for minutes only.',
    videoNotes,
  ].join(' '),
  credits: 4,
  cacheSeconds: 10_800,
  site,
  params: () => ({ query: text('One word or hashtag; case does not matter.') }),
  page: { max: 30 },
  returns: shortvideoVideo,
  many: true,
  columns: [
    'video_description',
    'view_count',
    'create_time',
    'like_count',
    'comment_count',
    'share_count',
    'favorites_count',
    'duration',
    'hashtag_names',
    'sound.title',
    'id',
  ],
  identify: ({ query = '' }) => ({ query: normalizeText(hashtagOf(query) ?? query.replace(/\s+/g, ' ')) }),
  async read({ identity: { query }, limit, position, session, beyond }) {
    if (session.runsPages === true) {
      return itemListPage(
        (cursor) => searchListRequest(query, cursor),
        { limit, position, session },
        ({ videos }) => {
          if (position === null && videos.length === 0) throw withheld();
        },
      );
    }
    const tag = hashtagOf(query);
    if (tag === null) {
      throw new ExtractError(
        'platform_login_required',
        'The platform offers keyword search only to signed-in users. Use one word or hashtag to get the public list of that hashtag.',
      );
    }
    return windowPage(readHashtag(await session.fetch({ url: home + embedPath(tag) }), tag), {
      limit,
      position,
      session,
      beyond,
    });
  },
});
