import type { Beside } from '../../routes/route.js';
import type { PageSession } from '../../web/page-source.js';
import { GuestSession } from './guest-session.js';
import { shortcodeOf, usernameIn } from './share-link.js';
import type { AccountIdentity, PostIdentity } from './urls.js';

/** An account in the form that its routes take. */
export interface Account {
  readonly username: string;
  /** Its number, once a route has returned it. */
  number: string | null;
  readonly guest: GuestSession;
}

/** A post in the form that its routes take. */
export interface Post {
  readonly shortcode: string;
  readonly guest: GuestSession;
}

/** A hashtag, or words. */
export interface Tag {
  readonly tag: string;
  readonly guest: GuestSession;
}

/** Returns the account of a call. A share link is followed first. */
export async function accountOfCall(
  identity: AccountIdentity,
  session: PageSession,
  { overrides, source }: Beside,
): Promise<Account> {
  const guest = new GuestSession(session, overrides);
  const username = await usernameIn(guest, identity);
  const number = source === undefined || source.id === username ? null : source.id;
  return { username, number, guest };
}

/** Returns the post of a call. A share link is followed first. */
export async function postOfCall(
  identity: PostIdentity,
  session: PageSession,
  { overrides }: Beside,
): Promise<Post> {
  const guest = new GuestSession(session, overrides);
  return { shortcode: await shortcodeOf(guest, identity), guest };
}

/** Returns the hashtag of a call. */
export const tagOfCall = async (
  { tag }: { readonly tag: string },
  session: PageSession,
  { overrides }: Beside,
): Promise<Tag> => ({ tag, guest: new GuestSession(session, overrides) });
