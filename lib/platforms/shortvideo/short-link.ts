import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import type { Page, PageSession } from '../../web/page-source.js';
import { refuse, refuseWithoutData } from './outcome.js';
import { type AccountReference, usernameOfUrl, type VideoReference, videoIdOfUrl } from './urls.js';

/** A video by its ID, and its page if already fetched. */
export interface VideoSubject {
  readonly id: string;
  readonly page?: Page | null;
}

/**
 * Resolves a short link to the ID of its video; returns an ID unchanged. A dead link ends at the platform's front page
 * or in a 404 (2026-09). A link to an account or a sound is not a video. All of these are `video_not_found`.
 */
export async function resolveVideo(
  { id, link }: VideoReference,
  session: PageSession,
): Promise<VideoSubject> {
  if (id !== null) return { id };
  const page = await follow(link, session);
  const videoId = videoIdOfUrl(page.url);
  // A photo's page under /photo/ has its data elsewhere; under /video/ it can be read like a video's.
  if (videoId !== null)
    return { id: videoId, page: new URL(page.url).pathname.includes('/video/') ? page : null };
  refuse(page);
  refuseLink(page, new ExtractError('video_not_found', `The link ${link} leads to no video.`));
}

/** Resolves a short link to the handle of its account. One to a video or to nothing is `profile_not_found`. */
export async function resolveAccount(account: AccountReference, session: PageSession): Promise<string> {
  if ('username' in account) return account.username;
  const { link } = account;
  const page = await follow(link, session);
  const username = usernameOfUrl(page.url);
  if (username !== null) return username;
  refuse(page);
  refuseLink(page, new ExtractError('profile_not_found', `The link ${link} leads to no profile.`));
}

/** Fetches the page that a link leads to. Its address counts even if the page itself is refused. */
const follow = (link: string, session: PageSession): Promise<Page> =>
  session.fetch({ url: link, surface: 'link' });

/** Paths of links to another kind of thing, or nothing; a dead link ends at the front page. */
const otherEnds = /^\/(?:$|@|music\/|tag\/|discover\/)/;

function refuseLink(page: Page, missing: ExtractError): never {
  // Any other page instead of the redirect is a shell, which does not prove that the link is dead.
  const ledElsewhere = page.status === 200 && otherEnds.test(new URL(page.url).pathname);
  if (ledElsewhere || page.status === 404 || page.status === 410) throw missing;
  if (page.status >= 300 && page.status < 400)
    throw refusal('unknown_layout', 'The link leads away from the platform.');
  refuseWithoutData(page);
}
