import { defineEndpoint } from '../../endpoint.js';
import { listLadder } from '../../routes/ladder.js';
import { completedPosts } from './item-ladder.js';
import { photosocialPost } from './objects.js';
import { SubjectWithoutData } from './outcome.js';
import { postsDocument } from './routes/document.js';
import { fullPosts } from './routes/full-posts.js';
import { profileOembed } from './routes/oembed.js';
import { postsPage } from './routes/page.js';
import { postsEmbed } from './routes/user-embed.js';
import { site } from './site.js';
import { accountOfCall } from './subject.js';
import { accountOf, accountParams } from './urls.js';

export const posts = defineEndpoint({
  path: 'photosocial/posts',
  operation: 'get_photosocial_posts',
  summary: 'Instagram posts: by one account, pinned first, then newest',
  description:
    'Reads the list that the profile page requests: twelve posts without their times and counts. Those come from the page for embedding on other sites (the newest six posts), from one further answer if Instagram grants it (all posts), and otherwise from each post’s own data; what is refused everywhere is null. Posts after the first twelve are often shown only to signed-in users: the list then ends, and `coverage` says so. A private account is account_private.',
  credits: 3,
  cacheSeconds: 10_800,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  page: { max: 24 },
  returns: photosocialPost,
  many: true,
  columns: [
    'caption',
    'timestamp',
    'like_count',
    'comments_count',
    'media_type',
    'view_count',
    'hashtags',
    'shortcode',
  ],
  identify: accountOf,
  ladder: listLadder({
    resolve: accountOfCall,
    routes: [postsDocument, postsPage, fullPosts, postsEmbed],
    browser: [postsPage, postsDocument, fullPosts, postsEmbed],
    joins: [
      { route: postsEmbed, fields: ['timestamp'] },
      { route: fullPosts, fields: ['timestamp'], leadsOn: true },
    ],
    items: completedPosts,
    witnesses: [profileOembed],
    agreeing: 3,
    tells: postsPage,
    exists: (error) => error instanceof SubjectWithoutData,
  }),
});
