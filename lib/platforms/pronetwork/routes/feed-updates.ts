import { intOrNull, textOrNull } from '../../../read/convert.js';
import { at, type Json } from '../../../read/json.js';
import type { Route } from '../../../routes/route.js';
import type { Source } from '../company-posts.js';
import type { PostCard } from '../post-card.js';
import { fragmentRequest } from '../site.js';
import { moreUpdatesUrl } from '../urls.js';

/** The fragment to request: whose posts, and the number of its first one. */
interface MorePosts {
  readonly source: Source;
  readonly start: number;
  /** Fetches a new token to replace an earlier call's, which the platform may no longer accept. */
  readonly renew?: (() => Promise<Source | null>) | undefined;
}

/**
 * Statuses for a token that is no longer accepted. The first also means the list's end, so an earlier call's token is
 * renewed before either is believed.
 */
const refusesToken: ReadonlySet<number> = new Set([400, 404]);

/** Returns where a company's posts continue; null for a position within its page. */
export function sourceAt(position: Json, vanity: string): Source | null {
  const organisation = textOrNull(at(position, 'org'));
  const owner = textOrNull(at(position, 'owner')) ?? vanity;
  return organisation === null ? null : { owner, organisation, token: textOrNull(at(position, 'token')) };
}

/** Returns the fragment after a company's page; null for none. */
export function fragmentAfter(position: Json, vanity: string): MorePosts | null {
  const source = sourceAt(position, vanity);
  return source === null ? null : { source, start: intOrNull(at(position, 'start')) ?? 0 };
}

/** The posts that a company's page loads as visitors scroll; null at their end. */
export const feedUpdates: Route<
  MorePosts,
  { readonly posts: readonly PostCard[]; readonly source: Source } | null
> = {
  name: 'feed-updates',
  reads: 'The posts that the page of a company loads as visitors scroll, ten a request.',
  surface: 'guest',
  seen: { month: '2026-09', from: [] },
  fills: {
    ...{ images: 'some', video: 'some', document: 'some', article: 'some' },
    ...{ reaction_breakdown: 'some', repost_count: 'never' },
  },
  async read({ identity: { source: firstSource, start, renew }, session }) {
    const { readMorePosts } = await import('../company-posts.js');
    const fragmentOf = ({ organisation, token }: Source) =>
      session.fetch(fragmentRequest(moreUpdatesUrl(organisation, token, start)));
    let source = firstSource;
    let fragment = await fragmentOf(source);
    if (renew !== undefined && refusesToken.has(fragment.status)) {
      const renewed = await renew();
      if (renewed === null) return null;
      if (renewed.token !== source.token) fragment = await fragmentOf(renewed);
      source = renewed;
    }
    const posts = readMorePosts(fragment, source.owner, start === 0);
    return posts && { posts, source };
  },
};
