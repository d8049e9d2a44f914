import { intOrNull, textOrNull } from '../../read/convert.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { at } from '../../read/json.js';
import type { Part, RouteContext } from '../../routes/route.js';
import { ask, isOutcome } from '../../routes/walk.js';
import { readCompanyPosts, type Source } from './company-posts.js';
import type { PronetworkPost } from './objects.js';
import type { PostCard } from './post-card.js';
import { postPart } from './post-part.js';
import { feedUpdates, sourceAt } from './routes/feed-updates.js';
import { pageRequest } from './site.js';
import { type PageName, pageUrl } from './urls.js';

/** Posts per fragment; fragments begin at multiples of it. */
const step = 10;
/** Requests without a new item after which the next call continues. */
const maxRequests = 5;

interface Batch {
  /** Number of the first post; 0 for the page itself. */
  readonly start: number;
  readonly posts: readonly PostCard[];
  readonly more: Source | null;
  readonly end: boolean;
}

const positionOf = ({ owner, organisation, token }: Source) => ({ owner, org: organisation, token });

/**
 * Reads the posts of a company after the previous part: the page first, then fragments of ten. Visitors only get the
 * newest posts, for some accounts ten; after that the platform refuses or repeats the page's posts (2026-09). If a
 * fragment is refused otherwise, the answer ends before it, is brief, and its cursor leads to it.
 */
export async function readCompanyPart({
  identity: requested,
  limit,
  part,
  session,
  overrides,
}: RouteContext<PageName>): Promise<Part<PronetworkPost>> {
  let start = intOrNull(at(part, 'start')) ?? 0;
  let skip = intOrNull(at(part, 'skip')) ?? 0;
  let first = textOrNull(at(part, 'first'));
  let source = start > 0 ? sourceAt(part, requested.vanity) : null;

  const firstPosts = async () =>
    readCompanyPosts(await session.fetch({ ...pageRequest(pageUrl(requested)), surface: 'page' }), requested);

  async function batchAt(isResumed: boolean): Promise<Batch | null> {
    if (start === 0 && source === null) return { start, ...(await firstPosts()) };
    if (source === null) return null;
    const renew = isResumed ? async () => (await firstPosts()).more : undefined;
    const about = { limit, part: null, session, overrides };
    const more = await ask(feedUpdates, { identity: { source, start, renew }, ...about });
    return more && { start, posts: more.posts, more: more.source, end: false };
  }

  const cards: PostCard[] = [];
  const keys = new Set<string>();
  let emptyProof: EmptyProof = {};
  const answer = (rest: Pick<Part<PronetworkPost>, 'next' | 'ended' | 'brief'>) =>
    postPart(requested, cards, { emptyProof, ...rest });
  const end = () => answer({ next: null, ended: 'visitors' });
  const continueList = (brief = false) => {
    const from = source === null ? {} : positionOf(source);
    return answer({ next: { start, skip, ...(first === null ? {} : { first }), ...from }, brief });
  };
  for (let request = 0; request < maxRequests; request += 1) {
    let batch: Batch | null;
    try {
      batch = await batchAt(request === 0 && start > 0);
    } catch (error) {
      if (cards.length === 0 || source === null || !isOutcome(error)) throw error;
      // A token that the page has just issued will not become valid later.
      return error.code === 'platform_changed'
        ? answer({ next: null, ended: 'refused', brief: true })
        : continueList(true);
    }
    emptyProof = batch === null ? { end: true } : { end: batch.end, leftOut: batch.posts.length };
    const top = batch?.posts[0]?.key ?? null;
    if (batch === null || (batch.start > 0 && top !== null && top === first)) return end();
    if (batch.start === 0) first = top;
    const batchPosts = batch.posts.slice(skip, skip + limit - cards.length);
    const fresh = batchPosts.filter((post) => !keys.has(post.key));
    for (const post of fresh) keys.add(post.key);
    cards.push(...fresh);
    source = batch.more;
    if (skip + batchPosts.length < batch.posts.length) {
      skip += batchPosts.length;
      return continueList();
    }
    const isRepeat = batch.posts.length > skip && fresh.length === 0;
    if (source === null || isRepeat) return end();
    start += Math.ceil(batch.posts.length / step) * step;
    skip = 0;
    if (cards.length >= limit) break;
  }
  return source === null ? end() : continueList();
}
