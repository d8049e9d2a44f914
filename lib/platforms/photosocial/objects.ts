import * as z from 'zod';
import { object } from '../../object.js';
import { person } from '../../person.js';
import { volatile } from '../../volatile.js';

const count = (description: string) =>
  z.int().min(0).nullable().describe(description).register(volatile, { as: 'count' });
const moment = (description: string) => z.iso.datetime().describe(description);
const text = (description: string) => z.string().nullable().describe(description);

const bioLink = object(() => ({
  title: text('Title of the link.').register(person, { of: ['username'], as: 'private' }),
  url: z
    .string()
    .min(1)
    .describe('URL of the link.')
    .register(person, { of: ['username'], as: 'private' }),
}));

const contactButton = object(() => ({
  type: z
    .string()
    .min(1)
    .describe('What the button does: `email`, `call`, `text`, `directions`, or the platform’s own word.'),
  value: text('The e-mail address, phone number or place behind it.').register(person, {
    of: ['username'],
    as: 'private',
  }),
}));

/** An account. Counts are exact. */
export const photosocialProfile = object(() => ({
  username: z
    .string()
    .min(1)
    .describe('Handle, lower case, without @.')
    .register(person, { of: ['username'], as: 'name' }),
  name: text('Display name.').register(person, { of: ['username'], as: 'name' }),
  biography: text('Bio; null if there is none.'),
  bio_links: z
    .array(bioLink)
    .nullable()
    .describe('Links in the bio, in order; null if the page does not say them.'),
  followers_count: count('Followers.'),
  follows_count: count('Accounts followed.'),
  media_count: count(
    'Number of posts, from the page’s description where that is exact (below 10,000) or from the embed page.',
  ),
  is_verified: z.boolean().nullable().describe('Has the verification badge.'),
  is_private: z.boolean().nullable().describe('Only followers can see its posts.'),
  is_business_account: z
    .boolean()
    .nullable()
    .describe('Whether it is a business account; rarely shown to logged-out visitors.'),
  category: text('Category shown under the name; null when the account hides it.'),
  contact_buttons: z
    .array(contactButton)
    .nullable()
    .describe('Business contact buttons; rarely shown to logged-out visitors.'),
}))
  .meta({ id: 'photosocial_profile' })
  .register(person, { of: ['username'], as: 'account' });

const mediaType = z
  .enum(['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'])
  .describe('A picture, a video (reels included), or a carousel of either.');
const mediaUrl = text('Signed URL of the picture or video; expires after one to four days.').register(
  volatile,
  { as: 'media' },
);

/** A post or short video. */
export const photosocialPost = object(() => ({
  shortcode: z.string().min(1).describe('Code of the post in its URL.'),
  permalink: z.string().min(1).describe('URL of the post.'),
  media_type: mediaType,
  caption: text('Caption; null if there is none or it is unknown; hashtags is then null, too.'),
  timestamp: moment('When it was posted.').nullable(),
  media_url: mediaUrl,
  children: z
    .array(z.strictObject({ media_type: mediaType, media_url: mediaUrl }))
    .nullable()
    .describe(
      'Pictures and videos of a carousel, in order; empty for any other post, null if the page does not list them.',
    ),
  like_count: count('Likes; null when the owner hides them.'),
  comments_count: count('Comments, replies included.'),
  view_count: count('Plays of a video; sometimes shown in lists, never on the page of the video.'),
  hashtags: z
    .array(z.string())
    .nullable()
    .describe(
      'Hashtags in the caption: lower case, without #, no duplicates, in order; null if the caption is unknown.',
    ),
  mentions: z
    .array(z.string().register(person, { of: ['username'], as: 'name' }))
    .nullable()
    .describe(
      'Handles mentioned in the caption: lower case, without @, no duplicates, in order; null if the caption is unknown.',
    ),
  is_paid_partnership: z
    .boolean()
    .nullable()
    .describe('Has the paid-partnership label; null if the page does not say.'),
  username: text('Handle of the owner.').register(person, { of: ['author', 'username'], as: 'name' }),
})).meta({ id: 'photosocial_post' });

/** A comment, or a reply to one. */
export const photosocialComment = object(() => ({
  username: z
    .string()
    .min(1)
    .describe('Handle of the author.')
    .register(person, { of: ['author', 'username'], as: 'name' }),
  text: text('Text; null for a comment without text, such as a picture or a sticker.'),
  timestamp: moment('When it was written.'),
  like_count: count('Likes.'),
  reply_count: count(
    'Number of replies; null if the page does not say. Logged-out visitors have not been shown it since 2026.',
  ),
  parent_id: text('ID of the comment it replies to; null at the top level.'),
})).meta({ id: 'photosocial_comment' });

export type PhotosocialProfile = z.output<typeof photosocialProfile>;
export type PhotosocialPost = z.output<typeof photosocialPost>;
export type PhotosocialComment = z.output<typeof photosocialComment>;
