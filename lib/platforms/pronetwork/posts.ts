import { defineEndpoint } from '../../endpoint.js';
import { pageUrl as address } from '../../params/vocabulary.js';
import { complete } from '../../read/complete.js';
import { intOrNull } from '../../read/convert.js';
import { at, type Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { sourceOfPost } from './item-sources.js';
import { pronetworkPost } from './objects.js';
import type { PostCard } from './post-card.js';
import { pageRequest, site } from './site.js';
import { companyOfUrl, type PageKind, type PageName, pageUrl, personOfUrl } from './urls.js';

interface Walk {
  readonly limit: number;
  readonly position: Json;
  readonly session: PageSession;
}

/** Posts on a person's page from where the previous page ended. The platform shows no more than these. */
async function walkProfile(requested: PageName, { limit, position, session }: Walk) {
  const { readProfilePosts } = await import('./profile-posts.js');
  const { posts, emptyProof } = readProfilePosts(
    await session.fetch(pageRequest(pageUrl(requested))),
    requested,
  );
  const skip = intOrNull(at(position, 'skip')) ?? 0;
  const end = skip + limit;
  return {
    found: posts.slice(skip, end),
    next: end < posts.length ? { skip: end } : null,
    whole: true,
    emptyProof: posts.length === 0 ? emptyProof : { leftOut: posts.length },
  };
}

/** Completes posts from their own pages, as far as those are readable. */
async function completeAll(posts: readonly PostCard[], session: PageSession) {
  return complete(
    posts,
    (one) => one.lacks && one.id !== null && one.permalink !== null,
    async (one) => {
      const { mergePost, readPostPage } = await import('./post-page.js');
      return mergePost(
        one,
        readPostPage(await session.fetch(pageRequest(one.permalink as string)), one.id as string),
      );
    },
  );
}

/** GET /pronetwork/posts */
export const posts = defineEndpoint({
  path: 'pronetwork/posts',
  operation: 'get_pronetwork_posts',
  summary: 'LinkedIn posts: by a person or a company, newest first',
  description: `For a company: the posts on its page, ten at a time, about seventy in all. For a person: the nine to eighteen posts on the profile, on one page, without those the person only liked or commented on. A page that hides its posts from logged-out visitors gives an empty list.

Some profiles cut posts off and leave out their counts. Such posts, the files of videos, and pictures after the fifth come from the posts' own pages: at most \`limit\` of them, at the platform's pace. If such a page is refused, you get what the list has.

published_at is exact. A company's repost has a time of its own; a person's plain repost has that of the original. Logged-out visitors are not shown how many reactions of each kind or reposts there are.`,
  credits: 6,
  cacheSeconds: 10_800,
  site,
  params: () => ({
    profile_url: address('URL of a profile page.'),
    company_url: address('URL of a company, school or showcase page.'),
  }),
  exactlyOne: ['profile_url', 'company_url'],
  page: { max: 20 },
  returns: pronetworkPost,
  many: true,
  columns: [
    'text',
    'published_at',
    'reaction_count',
    'comment_count',
    'repost_count',
    'article.title',
    'document.title',
    'video.duration',
  ],
  identify({ profile_url, company_url }) {
    const { kind, vanity } =
      profile_url === undefined ? companyOfUrl(company_url ?? '') : personOfUrl(profile_url);
    return { kind, vanity };
  },
  async read({ identity, limit, position, session }) {
    const requested = { kind: identity.kind as PageKind, vanity: identity.vanity };
    const { walkCompany } = await import('./company-walk.js');
    const walk = requested.kind === 'in' ? walkProfile : walkCompany;
    const { found, next, emptyProof, ...walked } = await walk(requested, { limit, position, session });
    // After a refusal nothing more is requested.
    const { items, whole } = walked.whole
      ? await completeAll(found, session)
      : { items: found, whole: false };
    return {
      data: items.map((one) => one.post),
      sources: items.map((one) => sourceOfPost(one, requested)),
      ids: items.map((one) => one.key),
      next,
      brief: !whole,
      emptyProof,
    };
  },
});
