import { defineEndpoint } from '../../endpoint.js';
import { pageUrl as address } from '../../params/vocabulary.js';
import { listLadder } from '../../routes/ladder.js';
import { aid } from '../../routes/rung.js';
import { pronetworkPost } from './objects.js';
import { feedUpdates, fragmentAfter } from './routes/feed-updates.js';
import { postEmbed } from './routes/post-embed.js';
import { postPage } from './routes/post-page.js';
import { postsPage } from './routes/posts-page.js';
import { site } from './site.js';
import { namedCompanyOfUrl, type PageName, personOfUrl } from './urls.js';

export const posts = defineEndpoint({
  path: 'pronetwork/posts',
  operation: 'get_pronetwork_posts',
  summary: 'LinkedIn posts: by a person or a company, newest first',
  description: `For a company: the newest posts on its page, ten at a time. Visitors see at most about seventy, of some accounts ten. For a person: the nine to eighteen posts on the profile, on one page, without posts that the person only liked or commented on. For a page that hides its posts from logged-out visitors, the list is empty.

Some profiles truncate posts and omit their counts. Such posts, the files of videos, and pictures after the fifth come from each post's own page: at most \`limit\` of them, at the platform's pace. If such a page is refused, you get what the list has.

published_at is exact. A company's repost has its own time; a person's plain repost has the time of the original. Logged-out visitors cannot see the number of reposts, or of reactions of each kind.`,
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
  identify: ({ profile_url, company_url = '' }) => ({
    ...(profile_url === undefined ? namedCompanyOfUrl(company_url) : personOfUrl(profile_url)),
  }),
  ladder: listLadder({
    routes: [postsPage],
    continues: [
      aid(feedUpdates, ({ vanity }: PageName, facts) => fragmentAfter(facts?.next ?? null, vanity)),
    ],
    items: {
      routes: [
        { route: postEmbed, fields: ['reaction_count', 'comment_count'] },
        { route: postPage, fields: ['reaction_count'] },
      ],
    },
  }),
});
