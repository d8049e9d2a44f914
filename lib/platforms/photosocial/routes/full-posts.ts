import type { ObjectReading, Part, Route } from '../../../routes/route.js';
import { filledParts } from '../list-part.js';
import type { PhotosocialPost } from '../objects.js';
import { outdatedDocument } from '../outcome.js';
import { readPost } from '../post-answer.js';
import type { Account, Post } from '../subject.js';
import { countedSoFar, nextPosts, readFullPosts } from '../timeline.js';
import { postUrl, profileUrl } from '../urls.js';

/** Documents for signed-in visitors' app, which currently answer others, too. */
const query = {
  surface: 'query',
  seen: { month: '2026-09', from: ['home'] },
  fills: { like_count: 'some', view_count: 'some' },
} as const;

export const fullPosts: Route<Account, Part<PhotosocialPost>> = {
  ...query,
  name: 'whole-posts-document',
  rows: 12,
  reads: 'The list in the form for signed-in visitors: twelve complete posts at a time.',
  read: filledParts(async (identity) => {
    const { guest, username } = identity;
    const answer = await guest.document('fullPosts', { username }, profileUrl(username));
    return readFullPosts(answer, username, countedSoFar(identity));
  }, nextPosts),
};

export const fullPost: Route<Post, ObjectReading<PhotosocialPost>> = {
  ...query,
  name: 'whole-post-document',
  reads: 'The post in the form for signed-in visitors, with its paid-partnership label.',
  read: async ({ identity: { guest, shortcode } }) =>
    readPost(
      await guest.document('postItem', { shortcode }, postUrl(shortcode)),
      'document',
      shortcode,
      outdatedDocument('a complete post'),
    ),
};
