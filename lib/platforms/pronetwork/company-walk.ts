import { intOrNull, textOrNull } from '../../read/convert.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { isOutcome } from '../../read/fill-page.js';
import { at, type Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { readCompanyPosts, readMorePosts, type Source } from './company-posts.js';
import type { PostCard } from './post-card.js';
import { fragmentRequest, pageRequest } from './site.js';
import { moreUpdatesUrl, type PageName, pageUrl } from './urls.js';

/** Posts a fragment holds; fragments begin at multiples of it. */
const step = 10;
/** A list that gives nothing new for so many requests is left for the next call to go on with. */
const maxRequests = 5;

/**
 * Statuses of a fragment whose token is no longer taken. The first is that of the list's end, too: a token of an earlier
 * call is renewed by the page before either is believed.
 */
const refusesToken: ReadonlySet<number> = new Set([400, 404]);

interface Batch {
  /** Number of the first post of the batch; 0 for the page itself. */
  readonly start: number;
  readonly posts: readonly PostCard[];
  readonly more: Source | null;
  readonly end: boolean;
}

function sourceOf(position: Json, { vanity }: PageName): Source | null {
  const organisation = textOrNull(at(position, 'org'));
  const owner = textOrNull(at(position, 'owner')) ?? vanity;
  return organisation === null ? null : { owner, organisation, token: textOrNull(at(position, 'token')) };
}

const positionOf = ({ owner, organisation, token }: Source) => ({ owner, org: organisation, token });

/**
 * The posts of a company, from where the previous page ended: the page first, then fragments of ten. Where a fragment
 * is refused, the answer ends before it, is not whole, and leads to it.
 */
export async function walkCompany(
  requested: PageName,
  { limit, position, session }: { limit: number; position: Json; session: PageSession },
): Promise<{ found: PostCard[]; next: Json; whole: boolean; emptyProof: EmptyProof }> {
  const known = sourceOf(position, requested);
  let start = intOrNull(at(position, 'start')) ?? 0;
  let skip = intOrNull(at(position, 'skip')) ?? 0;
  let source = start > 0 ? known : null;

  const firstPosts = async () =>
    readCompanyPosts(await session.fetch(pageRequest(pageUrl(requested))), requested);

  async function batchAt(isResumed: boolean): Promise<Batch | null> {
    if (start === 0 && source === null) return { start, ...(await firstPosts()) };
    if (source === null) return null;
    const url = moreUpdatesUrl(source.organisation, source.token, start);
    const fragment = await session.fetch(fragmentRequest(url));
    if (isResumed && refusesToken.has(fragment.status)) {
      const { token } = source;
      source = (await firstPosts()).more;
      if (source?.token !== token) return batchAt(false);
    }
    if (source === null) return null;
    const posts = readMorePosts(fragment, source.owner, start === 0);
    return posts && { start, posts, more: source, end: false };
  }

  const found: PostCard[] = [];
  const keys = new Set<string>();
  let emptyProof: EmptyProof = {};
  const end = (next: Json, whole = true) => ({ found, next, whole, emptyProof });
  for (let request = 0; request < maxRequests; request += 1) {
    let batch: Batch | null;
    try {
      batch = await batchAt(request === 0 && start > 0);
    } catch (error) {
      if (found.length === 0 || source === null || !isOutcome(error)) throw error;
      return end({ start, skip, ...positionOf(source) }, false);
    }
    emptyProof = batch === null ? { end: true } : { end: batch.end, leftOut: batch.posts.length };
    if (batch === null) return end(null);
    const taken = batch.posts.slice(skip, skip + limit - found.length);
    const fresh = taken.filter((post) => !keys.has(post.key));
    for (const post of fresh) keys.add(post.key);
    found.push(...fresh);
    source = batch.more;
    const sourcePosition = source === null ? {} : positionOf(source);
    if (skip + taken.length < batch.posts.length)
      return end({ start, skip: skip + taken.length, ...sourcePosition });
    const isRepeat = batch.posts.length > skip && fresh.length === 0;
    if (source === null || isRepeat) return end(null);
    start += Math.ceil(batch.posts.length / step) * step;
    skip = 0;
    if (found.length >= limit) return end({ start, skip, ...sourcePosition });
  }
  return end(source === null ? null : { start, skip, ...positionOf(source) });
}
