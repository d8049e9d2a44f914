import { defineEndpoint } from '../../endpoint.js';
import { pageUrl, text } from '../../params/vocabulary.js';
import { GuestSession } from './guest-session.js';
import { photosocialPost } from './objects.js';
import { onePost, shortcodeOf } from './post-source.js';
import { site } from './site.js';
import { postIdentity } from './urls.js';

/** GET /photosocial/post */
export const post = defineEndpoint({
  path: 'photosocial/post',
  operation: 'get_photosocial_post',
  summary: 'One post or reel: caption, time, file, carousel, likes, comments, hashtags, mentions',
  description:
    'Read from the public page of the post, and where that is refused from the documents behind it or its embed page (which knows neither the time nor the paid-partnership label). A removed post and one of a private account look alike, and both are post_not_found. Where the owner hides the likes, like_count is null. The page carries no view count. Where the platform withholds the data everywhere and the head of the page still describes the post, the answer is brief: account, caption and counts as published there, rounded from 10,000 on, without the time; a carousel is given as its first picture. Such an answer is cached for minutes.',
  credits: 2,
  cacheSeconds: 10_800,
  site,
  params: () => ({
    url: pageUrl(
      'Address of the post: /p/, /reel/, /tv/, with or without the account before it, or a share link.',
    ),
    shortcode: text('The part of the address that names the post; upper and lower case differ.'),
  }),
  exactlyOne: ['url', 'shortcode'],
  returns: photosocialPost,
  many: false,
  identify: postIdentity,
  async read({ identity, session, overrides = null }) {
    const guest = new GuestSession(session, overrides);
    const { answer, brief } = await onePost(guest, await shortcodeOf(guest, identity));
    return { data: answer, brief };
  },
});
