import { defineEndpoint } from '../../endpoint.js';
import { GuestSession } from './guest-session.js';
import { photosocialPost } from './objects.js';
import { onePost } from './post-source.js';
import { shortcodeOf } from './share-link.js';
import { site } from './site.js';
import { postIdentity, postParams } from './urls.js';

/** GET /photosocial/post */
export const post = defineEndpoint({
  path: 'photosocial/post',
  operation: 'get_photosocial_post',
  summary: 'Instagram post or reel: caption, time, file, carousel, likes, comments, hashtags, mentions',
  description:
    'Reads the public page of the post. If that is refused, reads the data behind it or its embed page (which has neither the time nor the paid-partnership label). A removed post looks like one of a private account: both are post_not_found. If the owner hides the likes, like_count is null. The page has no view count. If the platform withholds the data everywhere but the head of the page still describes the post, the answer is brief: account, caption and counts as given there, rounded from 10,000 on, without the time; of a carousel only the first picture, and children is null. Such an answer is cached for minutes only.',
  credits: 2,
  cacheSeconds: 10_800,
  site,
  params: postParams,
  exactlyOne: ['url', 'shortcode'],
  returns: photosocialPost,
  many: false,
  identify: postIdentity,
  async read({ identity, session, overrides = null }) {
    const guest = new GuestSession(session, overrides);
    const { answer, brief } = await onePost(guest, await shortcodeOf(guest, identity));
    return { data: answer.item, sources: [answer.source], brief };
  },
});
