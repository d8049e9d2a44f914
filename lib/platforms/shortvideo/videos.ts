import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { intOrNull, textOrEmpty, textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, listAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { embedNode, listedAuthors, listedVideos } from './embed.js';
import { itemListPage, videoListRequest } from './item-list.js';
import { type ShortvideoVideo, shortvideoVideo } from './objects.js';
import { isMissing } from './outcome.js';
import { afterPage, profilePage } from './page-requests.js';
import { resolveAccount } from './short-link.js';
import { site } from './site.js';
import { accountOf, accountParams, home } from './urls.js';
import { userCount, userDetail } from './user-detail.js';
import { videoNotes } from './video.js';
import { windowPage } from './window.js';

/** Path of the page that other sites embed to show an account's newest videos. */
const embedPath = (username: string) => `/embed/@${encodeURIComponent(username)}`;

const privateAccount = (username: string) =>
  new ExtractError('account_private', `The account ${username} is private.`);

/** The list must be the account's: each of `authors` is its handle. Null stands for a video that names none. */
function checkAuthors(authors: readonly (string | null)[], username: string): void {
  const other = authors.find((author) => author?.toLowerCase() !== username);
  if (other === undefined) return;
  const found = other === null ? 'The list is of nobody' : `The list is of ${other}`;
  throw new ExtractError('platform_changed', `${found}, not of ${username}.`);
}

/** Throws for an entry that says that there is no account. One that names or lists something contradicts itself. */
function refuseMissing(code: number | null, isBare: boolean, username: string): void {
  if (code === null || !isMissing(code)) return;
  if (isBare) {
    throw new ExtractError('profile_not_found', `The account ${username} does not exist or is banned.`);
  }
  throw new ExtractError(
    'platform_changed',
    `The list says that there is no account ${username}, and holds it.`,
  );
}

/**
 * Embed page of an account → its videos in the page's order. The list is empty where it shows none, for whatever
 * reason. Throws `profile_not_found` and `account_private` where the page itself says so.
 */
function readListing(page: Page, username: string): readonly Located<ShortvideoVideo>[] {
  const node = embedNode(page, embedPath(username));
  if (node === null || node === undefined) return [];
  const user = at(node, 'userInfo');
  const name = at(user, 'uniqueId');
  const isListed = listAt(node, 'videoList').length > 0;
  // An account that is gone has an empty name.
  const isBare = textOrNull(name) === null && !isListed;
  refuseMissing(intOrNull(at(user, 'code')), isBare, username);
  if (isBare && textOrEmpty(name) !== null) return [];
  const handle = requireValue(textOrNull(name), 'a username');
  if (handle.toLowerCase() !== username) {
    throw new ExtractError('platform_changed', `The list is that of ${handle}, not of ${username}.`);
  }
  const videos = listedVideos(node);
  checkAuthors(listedAuthors(node), username);
  if (videos.length === 0 && at(user, 'privateAccount') === true) throw privateAccount(username);
  return videos;
}

/** Profile page → the videos that it counts. Throws `account_private`, and what the page is instead. */
function countOfVideos(page: Page, username: string): number | null {
  const { info, isPrivate } = userDetail(page, username);
  if (isPrivate) throw privateAccount(username);
  return userCount(info, 'videoCount')?.count ?? null;
}

/** Profile page of an account whose list is empty: its count of 0, or the error that it is instead. */
function proveEmpty(page: Page, username: string): number {
  const count = countOfVideos(page, username);
  if (count === 0) return count;
  throw new ExtractError(
    'platform_restricted',
    `The account ${username} has ${count ?? 'an unknown number of'} videos, and the platform lists none of them to visitors who are not signed in.`,
  );
}

/** GET /shortvideo/videos */
export const videos = defineEndpoint({
  path: 'shortvideo/videos',
  operation: 'get_shortvideo_videos',
  summary: 'TikTok videos: the newest of one account',
  description: [
    'Without a browser, you get the newest 10 to 12 videos and photo posts, pinned ones first, and no further page. With a browser, the account’s page is scrolled, and you get the whole list, as far as visitors can see it.',
    'The details of each of these videos come from its own page, one request for each video. If such a page is refused, what the list lacks is null, and the answer is cached for minutes only.',
    videoNotes,
    'You get an empty list only if the profile page says that there are no videos.',
  ].join(' '),
  credits: 3,
  cacheSeconds: 10_800,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  renamed: { handle: 'username' },
  page: { max: 30 },
  returns: shortvideoVideo,
  many: true,
  columns: [
    'video_description',
    'create_time',
    'view_count',
    'like_count',
    'comment_count',
    'share_count',
    'favorites_count',
    'duration',
    'hashtag_names',
    'sound.title',
    'id',
  ],
  identify: accountOf,
  async read({ identity, limit, position, session, beyond }) {
    const username = await resolveAccount(identity, session);
    if (session.runsPages === true) {
      const isFirst = position === null;
      const page = () => session.fetch(profilePage(username));
      const count = async () => (isFirst ? countOfVideos(await page(), username) : null);
      return afterPage(count, async (total) => {
        if (total === 0) return { data: [], sources: [], emptyProof: { total } };
        const request = (cursor: string) => videoListRequest(username, cursor);
        const list = await itemListPage(request, { limit, position, session }, ({ authors }) =>
          checkAuthors(authors, username),
        );
        if (isFirst && list.data.length === 0)
          return { ...list, emptyProof: { total: proveEmpty(await page(), username) } };
        return { ...list, isEnd: list.emptyProof.end === true };
      });
    }
    const videos = readListing(await session.fetch({ url: home + embedPath(username) }), username);
    const isEmpty = videos.length === 0;
    const total = isEmpty ? proveEmpty(await session.fetch(profilePage(username)), username) : null;
    return windowPage({ videos, total }, { limit, position, session, beyond });
  },
});
