import { defineEndpoint } from '../../endpoint.js';
import { listLadder } from '../../routes/ladder.js';
import { photosocialComment } from './objects.js';
import { SubjectWithoutData } from './outcome.js';
import { commentsDocument, commentsList } from './routes/document.js';
import { postOembed } from './routes/oembed.js';
import { commentsPage } from './routes/page.js';
import { postEmbedWitness } from './routes/post-embed.js';
import { site } from './site.js';
import { postOfCall } from './subject.js';
import { postIdentity, postParams } from './urls.js';

export const comments = defineEndpoint({
  path: 'photosocial/comments',
  operation: 'get_photosocial_comments',
  summary: 'Instagram comments: on one post or reel, as far as logged-out visitors can see them',
  description:
    'Reads the comments of the post’s page and the list behind its “more”. The platform shows logged-out visitors four to fifteen comments at a time and often stops long before the last one: `coverage` says how many the post has. Replies and their number are not shown at all (2026). If the platform withholds the comments, the call fails: you never get an empty list.',
  credits: 3,
  cacheSeconds: 3600,
  site,
  params: postParams,
  exactlyOne: ['url', 'shortcode'],
  page: { max: 50 },
  returns: photosocialComment,
  many: true,
  columns: ['text', 'username', 'timestamp', 'like_count', 'reply_count', 'parent_id'],
  identify: postIdentity,
  ladder: listLadder({
    resolve: postOfCall,
    routes: [commentsPage, commentsDocument, commentsList],
    browser: [commentsPage, commentsDocument, commentsList],
    witnesses: [postEmbedWitness, postOembed],
    agreeing: 2,
    tells: commentsPage,
    exists: (error) => error instanceof SubjectWithoutData,
  }),
});
