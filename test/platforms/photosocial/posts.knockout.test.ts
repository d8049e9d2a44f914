import type { Endpoint } from '../../../lib/endpoint.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { type Knockouts, knockOut } from '../../support/knockout.js';
import { without } from './without.js';

const noCaption = { caption: null, hashtags: null, mentions: null };
const isPost = (object: object) =>
  'media_type' in object && !('carousel_media_count' in object && !('code' in object));

/** The only shape that carries every field of a post. */
const itemFields: Knockouts = {
  shortcode: { mandatory: true, remove: without(['code', 'id', 'pk']) },
  permalink: { mandatory: true, remove: without(['code', 'id', 'pk']) },
  media_type: { mandatory: true, remove: without(['media_type', '__typename']) },
  caption: { remove: without(['caption']), also: noCaption },
  hashtags: { remove: without(['caption']), also: noCaption },
  mentions: { remove: without(['caption']), also: noCaption },
  timestamp: without(['taken_at']),
  media_url: without(
    ['image_versions2', 'video_versions', 'display_uri'],
    (object) => isPost(object) && 'code' in object,
  ),
  children: { remove: without(['carousel_media']), keepsEmpty: true },
  like_count: without(['like_count']),
  comments_count: without(['comment_count']),
  view_count: without(['play_count', 'view_count']),
  is_paid_partnership: without(['is_paid_partnership']),
  username: without(['username']),
};

await knockOut(post as Endpoint, 'page of 2025: the app’s item in its data', itemFields);
// Posts without an author cannot be attributed to the account.
const ownFields = { ...itemFields, username: { mandatory: true, remove: without(['username']) } };
await knockOut(posts as Endpoint, 'whole posts in one answer', ownFields);
await knockOut(hashtag as Endpoint, 'shape of the app: sections', itemFields);
