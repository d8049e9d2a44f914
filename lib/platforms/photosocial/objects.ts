import * as z from 'zod';
import { object } from '../../object.js';

const count = (description: string) => z.int().min(0).nullable().describe(description);
const moment = (description: string) => z.iso.datetime().describe(description);
const text = (description: string) => z.string().nullable().describe(description);

const bioLink = object(() => ({
  title: text('Title the account gave the link.'),
  url: z.string().min(1).describe('Where it leads.'),
}));

const contactButton = object(() => ({
  type: z
    .string()
    .min(1)
    .describe('What the button does: email, call, text, directions, or the platform’s own word.'),
  value: text('Address, number or place behind it.'),
}));

/** An account. Counts are exact. */
export const photosocialProfile = object(() => ({
  username: z.string().min(1).describe('Handle, lower case, without @.'),
  name: text('Name shown beside the handle.'),
  biography: text('Bio text; null when the account has written none.'),
  bio_links: z.array(bioLink).describe('Links in the bio, in order.'),
  followers_count: count('Followers.'),
  follows_count: count('Accounts followed.'),
  media_count: count(
    'Posts. From the page’s description where that is exact (below 10,000) or the embed page.',
  ),
  is_verified: z.boolean().nullable().describe('Carries the verification badge.'),
  is_private: z.boolean().nullable().describe('Only followers see its posts.'),
  is_business_account: z
    .boolean()
    .nullable()
    .describe('A business account; hardly ever shown to logged-out visitors.'),
  category: text('Category shown under the name; null when the account hides it.'),
  contact_buttons: z
    .array(contactButton)
    .nullable()
    .describe('Business contact buttons; hardly ever shown to logged-out visitors.'),
})).meta({ id: 'photosocial_profile' });

const mediaType = z
  .enum(['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'])
  .describe('A picture, a video (reels included), or several of both.');
const mediaUrl = text('Signed address of the picture or video file; it expires after one to four days.');

/** A post or short video. */
export const photosocialPost = object(() => ({
  shortcode: z.string().min(1).describe('The part of the address that names the post.'),
  permalink: z.string().min(1).describe('Address of the post.'),
  media_type: mediaType,
  caption: text('Caption; null when there is none.'),
  timestamp: moment('When it was posted.').nullable(),
  media_url: mediaUrl,
  children: z
    .array(z.strictObject({ media_type: mediaType, media_url: mediaUrl }))
    .describe('Pictures and videos of a carousel, in order; empty for any other post.'),
  like_count: count('Likes; null when the owner hides them.'),
  comments_count: count('Comments, replies included.'),
  view_count: count('Plays of a video; its own page does not carry them, listings sometimes do.'),
  hashtags: z
    .array(z.string())
    .describe('Hashtags of the caption, lower case, without #, each once, in order.'),
  mentions: z
    .array(z.string())
    .describe('Handles the caption mentions, lower case, without @, each once, in order.'),
  is_paid_partnership: z
    .boolean()
    .nullable()
    .describe('Carries the paid-partnership label; null where the page does not show it.'),
  username: text('Handle of the owner.'),
})).meta({ id: 'photosocial_post' });

/** A comment, or a reply to one. */
export const photosocialComment = object(() => ({
  username: z.string().min(1).describe('Handle of the author.'),
  text: text('Text; null for a comment without any: a picture, a sticker.'),
  timestamp: moment('When it was written.'),
  like_count: count('Likes.'),
  reply_count: count(
    'Replies; null where the page does not show them, as for logged-out visitors since 2026.',
  ),
  parent_id: text('Comment it replies to; null at the top level.'),
})).meta({ id: 'photosocial_comment' });

export type PhotosocialProfile = z.output<typeof photosocialProfile>;
export type PhotosocialPost = z.output<typeof photosocialPost>;
export type PhotosocialComment = z.output<typeof photosocialComment>;
