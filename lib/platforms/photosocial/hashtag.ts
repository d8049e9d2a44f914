import { defineEndpoint } from '../../endpoint.js';
import { text } from '../../params/vocabulary.js';
import { listLadder } from '../../routes/ladder.js';
import { completedPosts } from './item-ladder.js';
import { photosocialPost } from './objects.js';
import { SubjectWithoutData } from './outcome.js';
import { hashtagDocument } from './routes/document.js';
import { hashtagPage } from './routes/page.js';
import { site } from './site.js';
import { tagOfCall } from './subject.js';
import { normalTag } from './urls.js';

export const hashtag = defineEndpoint({
  path: 'photosocial/hashtag',
  operation: 'get_photosocial_hashtag',
  summary: 'Instagram hashtag: its top public posts, as shown to logged-out visitors',
  description:
    'Reads Instagram’s page for a hashtag or words: public posts, mostly reels, ranked by the platform. It is not a search, and has neither the newest posts nor all of them (2026). Without such a page the error is hashtag_not_found. There is no total. The list has view counts, but no times, likes or comment counts; these come from each post’s own data, and are null if that is refused.',
  credits: 4,
  cacheSeconds: 3600,
  site,
  params: () => ({
    tag: text('Hashtag without the leading #, or the words of a topic, in any script; case does not matter.'),
  }),
  page: { max: 24 },
  returns: photosocialPost,
  many: true,
  columns: [
    'caption',
    'username',
    'like_count',
    'timestamp',
    'comments_count',
    'media_type',
    'view_count',
    'shortcode',
  ],
  identify: ({ tag }) => ({ tag: normalTag(tag ?? '') }),
  ladder: listLadder({
    resolve: tagOfCall,
    routes: [hashtagPage, hashtagDocument],
    items: completedPosts,
    tells: hashtagPage,
    exists: (error) => error instanceof SubjectWithoutData,
  }),
});
