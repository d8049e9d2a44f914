import type { GuestSession } from './guest-session.js';
import { type Missing, refusePage, refuseWithoutAnswer, refuseWithoutPageData } from './outcome.js';
import { bodyOf } from './page-data.js';
import { type AccountIdentity, type PostIdentity, postOfUrl, usernameOfUrl } from './urls.js';

/** Follows a share link, and returns what `named` finds in its target. */
async function follow<T>(
  guest: GuestSession,
  link: string,
  nameOf: (address: string) => T | null,
  missing: Missing,
): Promise<T> {
  const page = await guest.page(link);
  const body = bodyOf(page);
  refusePage(page, body, missing);
  const name = nameOf(page.url);
  if (name !== null) return name;
  if (body.kind === 'html') refuseWithoutPageData(body.html(), missing);
  refuseWithoutAnswer(body.json, missing);
}

export async function shortcodeOf(guest: GuestSession, identity: PostIdentity): Promise<string> {
  if ('shortcode' in identity) return identity.shortcode;
  const missing: Missing = { code: 'post_not_found', message: 'The share link leads to no post.' };
  const shortcodeAt = (address: string) => {
    const target = postOfUrl(address);
    return target !== null && 'shortcode' in target ? target.shortcode : null;
  };
  return follow(guest, identity.share, shortcodeAt, missing);
}

export async function usernameIn(guest: GuestSession, identity: AccountIdentity): Promise<string> {
  if ('username' in identity) return identity.username;
  const missing: Missing = { code: 'profile_not_found', message: 'The share link leads to no account.' };
  return follow(guest, identity.share, usernameOfUrl, missing);
}
