import { intOrNull, textOrNull } from '../../read/convert.js';
import { at, type Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { readCompanyPosts, readMorePosts, type Source } from './company-posts.js';
import type { PostCard } from './post-card.js';
import { pageRequest } from './site.js';
import { moreUpdatesUrl, type PageName, pageUrl } from './urls.js';

/** Posts a fragment holds; fragments begin at multiples of it. */
const step = 10;
/** A list that gives nothing new for so many requests is left for the next call to go on with. */
const maxRequests = 5;

interface Batch {
  /** Number of the first post of the batch; 0 for the page itself. */
  readonly start: number;
  readonly posts: readonly PostCard[];
  readonly more: Source | null;
}

function sourceOf(position: Json): Source | null {
  const organisation = textOrNull(at(position, 'org'));
  return organisation === null ? null : { organisation, token: textOrNull(at(position, 'token')) };
}

/** What a company published, from where the previous page ended: the page first, then fragments of ten. */
export async function walkCompany(
  requested: PageName,
  { limit, position, session }: { limit: number; position: Json; session: PageSession },
): Promise<{ found: PostCard[]; next: Json }> {
  const known = sourceOf(position);
  let start = intOrNull(at(position, 'start')) ?? 0;
  let skip = intOrNull(at(position, 'skip')) ?? 0;
  let source = start > 0 ? known : null;

  async function batchAt(): Promise<Batch | null> {
    if (start === 0 && source === null) {
      const { posts, more } = readCompanyPosts(
        await session.fetch(pageRequest(pageUrl(requested))),
        requested,
      );
      return { start, posts, more };
    }
    if (source === null) return null;
    const url = moreUpdatesUrl(source.organisation, source.token, start);
    const posts = readMorePosts(await session.fetch({ url }), start === 0);
    return posts === null ? null : { start, posts, more: source };
  }

  const found: PostCard[] = [];
  const keys = new Set<string>();
  for (let request = 0; request < maxRequests; request += 1) {
    const batch = await batchAt();
    if (batch === null) return { found, next: null };
    const isPage = source === null;
    const taken = batch.posts.slice(skip, skip + limit - found.length);
    const fresh = taken.filter((post) => !keys.has(post.key));
    for (const post of fresh) keys.add(post.key);
    found.push(...fresh);
    source = batch.more;
    const place = source === null ? {} : { org: source.organisation, token: source.token };
    if (skip + taken.length < batch.posts.length) {
      return { found, next: { start, skip: skip + taken.length, ...place } };
    }
    const isRepeat = batch.posts.length > skip && fresh.length === 0;
    const isEnd = batch.posts.length === 0 && !isPage;
    if (source === null || isRepeat || isEnd) return { found, next: null };
    start += Math.ceil(batch.posts.length / step) * step;
    skip = 0;
    if (found.length >= limit) return { found, next: { start, skip, ...place } };
  }
  return {
    found,
    next: source === null ? null : { start, skip, org: source.organisation, token: source.token },
  };
}
