import type { ResolveContext } from '../../routes/route.js';
import type { PageSession } from '../../web/page-source.js';
import { GuestSession } from './guest-session.js';
import { shortcodeOf, usernameIn } from './share-link.js';
import type { AccountIdentity, PostIdentity } from './urls.js';

/** An account as its routes require it. */
export interface Account {
  readonly username: string;
  /** Once a route has returned it. */
  number: string | null;
  readonly guest: GuestSession;
}

/** A post as its routes require it. */
export interface Post {
  readonly shortcode: string;
  readonly guest: GuestSession;
}

export interface Tag {
  readonly tag: string;
  readonly guest: GuestSession;
}

export async function accountOfCall(
  identity: AccountIdentity,
  session: PageSession,
  { overrides, source }: ResolveContext,
): Promise<Account> {
  const guest = new GuestSession(session, overrides);
  const username = await usernameIn(guest, identity);
  const number = source === undefined || source.id === username ? null : source.id;
  return { username, number, guest };
}

export async function postOfCall(
  identity: PostIdentity,
  session: PageSession,
  { overrides }: ResolveContext,
): Promise<Post> {
  const guest = new GuestSession(session, overrides);
  return { shortcode: await shortcodeOf(guest, identity), guest };
}

export const tagOfCall = async (
  { tag }: { readonly tag: string },
  session: PageSession,
  { overrides }: ResolveContext,
): Promise<Tag> => ({ tag, guest: new GuestSession(session, overrides) });
