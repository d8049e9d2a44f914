import { defineEndpoint } from '../../endpoint.js';
import { objectLadder } from '../../routes/ladder.js';
import { photosocialPost } from './objects.js';
import { SubjectWithoutData } from './outcome.js';
import { postDocument } from './routes/document.js';
import { fullPost } from './routes/full-posts.js';
import { postHead } from './routes/head.js';
import { postOembed } from './routes/oembed.js';
import { postPage } from './routes/page.js';
import { postEmbed } from './routes/post-embed.js';
import { site } from './site.js';
import { postOfCall } from './subject.js';
import { postIdentity, postParams } from './urls.js';

export const post = defineEndpoint({
  path: 'photosocial/post',
  operation: 'get_photosocial_post',
  summary: 'Instagram post or reel: caption, time, file, carousel, likes, comments, hashtags, mentions',
  description:
    'Reads the data that the post’s page requests, the page itself, or the page for embedding on other sites, which lacks the time. A removed post and a post of a private account look the same: both are post_not_found. If the owner hides the likes, like_count is null. The view count is rarely shown. If only the head of the page describes the post, the answer is brief: account, caption and counts as in the head, rounded from 10,000 up, without the time; a carousel has only its first picture, and children is null. Such an answer is cached for minutes only.',
  credits: 2,
  cacheSeconds: 10_800,
  site,
  params: postParams,
  exactlyOne: ['url', 'shortcode'],
  returns: photosocialPost,
  many: false,
  identify: postIdentity,
  ladder: objectLadder({
    resolve: postOfCall,
    routes: [postDocument, postPage, fullPost, postEmbed, postHead],
    browser: [postPage, postDocument, fullPost, postEmbed, postHead],
    witnesses: [postOembed],
    agreeing: 2,
    tells: postPage,
    exists: (error) => error instanceof SubjectWithoutData,
  }),
});
