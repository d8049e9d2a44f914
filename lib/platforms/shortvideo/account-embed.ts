import { ExtractError } from '../../errors/extract-error.js';
import { intOrNull, textOrEmpty, textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, listAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { MissingClaim } from '../../routes/missing-claim.js';
import type { Page, PageRequest } from '../../web/page-source.js';
import { embedNode, listedAuthors, listedVideos, notShown } from './embed-state.js';
import type { ShortvideoVideo } from './objects.js';
import { isMissing } from './outcome.js';
import { home } from './urls.js';

const pathOf = (username: string) => `/embed/@${encodeURIComponent(username)}`;

export const accountEmbed = (username: string): PageRequest => ({ url: home + pathOf(username) });

/** Throws unless the list is the account's: each of `authors` must be its handle; null for a video without one. */
export function checkAuthors(authors: readonly (string | null)[], username: string): void {
  const other = authors.find((author) => author?.toLowerCase() !== username);
  if (other === undefined) return;
  const owner = other === null ? 'The list names no account' : `The list is of ${other}`;
  throw new ExtractError('platform_changed', `${owner}, not of ${username}.`);
}

/** Throws for an entry that says that there is no account. One with a name or a list contradicts itself. */
function refuseMissing(code: number | null, isBare: boolean, username: string): void {
  if (code === null || !isMissing(code)) return;
  if (isBare) throw noAccount(username);
  throw new ExtractError(
    'platform_changed',
    `The list says that there is no account ${username}, but contains it.`,
  );
}

const noAccount = (username: string) =>
  new MissingClaim('profile_not_found', `The account ${username} does not exist or is banned.`);

interface EmbeddedAccount {
  /** `userInfo` of the page. */
  readonly user: unknown;
  /** The account's own spelling. */
  readonly handle: string;
  /** Its newest videos in page order, pinned ones first; none if the account does not allow embedding. */
  readonly videos: readonly Located<ShortvideoVideo>[];
}

/**
 * Reads an account and its newest videos from its embed page (2026-07 to 2026-10). Throws if the page itself says that
 * there is no such account.
 */
export function readAccountEmbed(page: Page, username: string): EmbeddedAccount {
  const node = embedNode(page, pathOf(username), 'account');
  if (node === null) throw noAccount(username);
  if (node === undefined) throw notShown(`the account ${username}`);
  const user = at(node, 'userInfo');
  const name = at(user, 'uniqueId');
  const isListed = listAt(node, 'videoList').length > 0;
  // A deleted account has an empty name.
  const isBare = textOrNull(name) === null && !isListed;
  refuseMissing(intOrNull(at(user, 'code')), isBare, username);
  if (isBare && textOrEmpty(name) !== null) throw noAccount(username);
  const handle = requireValue(textOrNull(name), 'a username');
  if (handle.toLowerCase() !== username) {
    throw new ExtractError('platform_changed', `The list belongs to ${handle}, not to ${username}.`);
  }
  const videos = listedVideos(node);
  checkAuthors(listedAuthors(node), username);
  return { user, handle, videos };
}
