import type { ObjectReading, Part, Route, Sighting } from '../../../routes/route.js';
import { nextComments, readComments } from '../comment-list.js';
import { filledParts } from '../list-part.js';
import type { PhotosocialComment, PhotosocialPost, PhotosocialProfile } from '../objects.js';
import { readPost } from '../post-answer.js';
import { readProfile } from '../profile-answer.js';
import type { Account, Post, Tag } from '../subject.js';
import { nextTagged, readTagged } from '../tagged-list.js';
import { countedSoFar, nextPosts, readTimeline } from '../timeline.js';
import { postUrl, profileUrl, tagUrl } from '../urls.js';

const surface = 'page';
const sighting: Sighting = { month: '2026-10', from: ['home', 'datacentre'] };

export const profilePage: Route<Account, ObjectReading<PhotosocialProfile>> = {
  name: 'page',
  reads: 'The profile page: bio, links, verified, exact counts.',
  surface,
  seen: sighting,
  fills: {
    media_count: 'some',
    is_business_account: 'some',
    category: 'some',
    contact_buttons: 'some',
  },
  async read({ identity }) {
    const { guest, username } = identity;
    const profile = readProfile(await guest.page(profileUrl(username)), 'page', username);
    if (profile.source.id !== username) identity.number ??= profile.source.id;
    return profile;
  },
};

export const postsPage: Route<Account, Part<PhotosocialPost>> = {
  name: 'page',
  reads: 'The profile page: its first twelve posts, without times and counts, and the way to the next ones.',
  surface,
  seen: sighting,
  fills: {
    timestamp: 'some',
    media_url: 'smaller',
    children: 'some',
    like_count: 'some',
    comments_count: 'some',
    view_count: 'some',
    is_paid_partnership: 'some',
  },
  read: filledParts(async (identity) => {
    const page = await identity.guest.page(profileUrl(identity.username));
    return readTimeline(page, 'page', identity.username, countedSoFar(identity));
  }, nextPosts),
};

export const postPage: Route<Post, ObjectReading<PhotosocialPost>> = {
  name: 'post-page',
  reads: 'The page of the post.',
  surface,
  seen: sighting,
  fills: { like_count: 'some', view_count: 'some', is_paid_partnership: 'some' },
  read: async ({ identity: { guest, shortcode } }) =>
    readPost(await guest.page(postUrl(shortcode)), 'page', shortcode),
};

export const commentsPage: Route<Post, Part<PhotosocialComment>> = {
  name: 'page',
  reads: 'The page of the post: its first comments, and the way to the next ones.',
  surface,
  seen: sighting,
  fills: { reply_count: 'some', parent_id: 'some' },
  read: filledParts(
    async ({ guest, shortcode }) => readComments(await guest.page(postUrl(shortcode)), 'page', shortcode),
    nextComments,
  ),
};

export const hashtagPage: Route<Tag, Part<PhotosocialPost>> = {
  name: 'page',
  reads: 'The page that Instagram keeps for the words: posts that it ranks, mostly reels.',
  surface,
  seen: sighting,
  fills: {
    permalink: 'smaller',
    timestamp: 'some',
    media_url: 'smaller',
    children: 'some',
    like_count: 'some',
    comments_count: 'some',
    is_paid_partnership: 'some',
  },
  read: filledParts(
    async ({ guest, tag }) => readTagged(await guest.page(tagUrl(tag)), 'page', tag),
    nextTagged,
  ),
};
