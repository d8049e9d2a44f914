import { requireValue } from '../../../read/refusal.js';
import type { ObjectReading, Part, Route, Sighting } from '../../../routes/route.js';
import { firstComments, nextComments, readComments } from '../comment-list.js';
import { filledParts } from '../list-part.js';
import type { PhotosocialComment, PhotosocialPost, PhotosocialProfile } from '../objects.js';
import { readPost } from '../post-answer.js';
import { readProfile } from '../profile-answer.js';
import { idOfShortcode } from '../shortcode.js';
import type { Account, Post, Tag } from '../subject.js';
import { firstTagged, nextTagged } from '../tagged-list.js';
import { countedSoFar, nextPosts, readTimeline } from '../timeline.js';
import { postUrl, profileUrl } from '../urls.js';
import { hashtagPage, postPage, postsPage } from './page.js';

const document = {
  name: 'document',
  surface: 'document',
  seen: { month: '2026-10', from: ['home', 'datacentre'] } satisfies Sighting,
} as const;

/** `null` means missing, but also withheld (2026). */
const witness = { ...document, missing: 'witness' } as const;

/** The profile page's own query. */
export const profileDocument: Route<Account, ObjectReading<PhotosocialProfile>> = {
  ...witness,
  reads: 'The data that the profile page requests: bio, links, verified, followers, follows.',
  fills: { media_count: 'some', is_business_account: 'never', category: 'never', contact_buttons: 'never' },
  async read({ identity }) {
    const { guest, username } = identity;
    const answer = await guest.document('profile', { username }, profileUrl(username));
    const profile = readProfile(answer, 'document', username);
    if (profile.source.id !== username) identity.number ??= profile.source.id;
    return profile;
  },
};

/** The posts tab's own query. */
export const postsDocument: Route<Account, Part<PhotosocialPost>> = {
  ...witness,
  reads: 'The list that the profile page requests: twelve posts at a time, without times and counts.',
  rows: 12,
  fills: postsPage.fills,
  read: filledParts(async (identity) => {
    const { guest, username } = identity;
    const answer = await guest.document('posts', { username }, profileUrl(username));
    return readTimeline(answer, 'document', username, countedSoFar(identity));
  }, nextPosts),
};

/** The post page's own query. */
export const postDocument: Route<Post, ObjectReading<PhotosocialPost>> = {
  ...witness,
  name: 'post-document',
  reads: 'The data that the page of the post requests.',
  fills: postPage.fills,
  read: async ({ identity: { guest, shortcode } }) =>
    readPost(
      await guest.document('post', { id: idOfShortcode(shortcode) }, postUrl(shortcode)),
      'document',
      shortcode,
    ),
};

/** The comments in the post page's own query. */
export const commentsDocument: Route<Post, Part<PhotosocialComment>> = {
  ...witness,
  reads: 'The data that the page of the post requests: its first comments, and the cursor of the next ones.',
  fills: { reply_count: 'some', parent_id: 'some' },
  read: filledParts(async ({ guest, shortcode }) => {
    const answer = await guest.document('post', { id: idOfShortcode(shortcode) }, postUrl(shortcode));
    return readComments(answer, 'document', shortcode);
  }, nextComments),
};

/** The list of comments from its beginning, as the page requests further ones. */
export const commentsList: Route<Post, Part<PhotosocialComment>> = {
  ...document,
  name: 'comments-document',
  reads: 'The list of comments behind “more”, from its beginning.',
  fills: { reply_count: 'some', parent_id: 'some' },
  read: filledParts(firstComments, nextComments),
};

/** The list behind the platform's page for a topic. */
export const hashtagDocument: Route<Tag, Part<PhotosocialPost>> = {
  ...witness,
  reads: 'The list that the page for the words requests.',
  fills: hashtagPage.fills,
  read: filledParts(firstTagged, nextTagged),
};

/** The account as requested by signed-in visitors' app; logged-out visitors are answered, too. */
export const profileDetails: Route<Account, ObjectReading<PhotosocialProfile>> = {
  name: 'details-document',
  reads: 'The data of the account under its number: all that its page has, at times category and business.',
  surface: 'query',
  seen: { month: '2026-09', from: ['home'] },
  fills: {
    media_count: 'never',
    is_business_account: 'some',
    category: 'some',
    contact_buttons: 'some',
  },
  missing: 'witness',
  async read({ identity: { guest, username, number } }) {
    const id = requireValue(number, 'the number that identifies the account in requests');
    const answer = await guest.document('profileDetails', { id }, profileUrl(username));
    return readProfile(answer, 'document', username);
  },
};
