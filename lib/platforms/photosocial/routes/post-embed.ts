import type { ObjectReading, Route } from '../../../routes/route.js';
import type { PhotosocialPost } from '../objects.js';
import { readEmbeddedPost } from '../post-answer.js';
import type { Post } from '../subject.js';
import { postEmbedUrl } from '../urls.js';

/** A post's embed page. It looks the same for a deleted post, a private one, and one closed to embedding. */
export const postEmbed: Route<Post, ObjectReading<PhotosocialPost>> = {
  name: 'post-embed',
  reads: 'The page that sites embed for the post: caption, files and counts, without the time.',
  surface: 'embed',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  fills: {
    timestamp: 'never',
    media_url: 'some',
    like_count: 'some',
    view_count: 'some',
    is_paid_partnership: 'some',
  },
  missing: 'witness',
  read: async ({ identity: { guest, shortcode } }) =>
    readEmbeddedPost(await guest.page(postEmbedUrl(shortcode)), shortcode),
};

export const postEmbedWitness: Route<Post, unknown> = { ...postEmbed, fills: {} };
