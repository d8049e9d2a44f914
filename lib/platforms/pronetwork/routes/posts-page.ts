import { intOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import type { PronetworkPost } from '../objects.js';
import { postPart } from '../post-part.js';
import { pageRequest } from '../site.js';
import { type PageName, pageUrl } from '../urls.js';

/** The page of a person, or of a company with what its button for more posts loads. */
export const postsPage: Route<PageName, Part<PronetworkPost>> = {
  name: 'posts-page',
  reads: 'The page of the person or company, and what the company’s page loads as visitors scroll.',
  surface: 'page',
  seen: { month: '2026-09', from: ['home'] },
  fills: {
    ...{ text: 'some', images: 'some', video: 'some', document: 'some', article: 'some' },
    ...{ published_at: 'some', reaction_count: 'some', comment_count: 'some' },
    ...{ reaction_breakdown: 'some', repost_count: 'never' },
  },
  async read(context) {
    const { identity, limit, part, session } = context;
    if (identity.kind !== 'in') {
      const { readCompanyPart } = await import('../company-walk.js');
      return readCompanyPart(context);
    }
    const { readProfilePosts } = await import('../profile-posts.js');
    const page = await session.fetch(pageRequest(pageUrl(identity)));
    const { posts, emptyProof } = readProfilePosts(page, identity);
    const skip = intOrNull(at(part, 'skip')) ?? 0;
    const end = skip + limit;
    return postPart(identity, posts.slice(skip, end), {
      emptyProof: posts.length === 0 ? emptyProof : { leftOut: posts.length },
      ...(end < posts.length ? { next: { skip: end } } : { next: null, ended: 'visitors' }),
    });
  },
};
