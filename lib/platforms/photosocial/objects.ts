import * as z from 'zod';
import { object } from '../../object.js';
import { countOrNull, flagOrNull, moment, text, textOrNull, textsOrNull } from '../../object-fields.js';
import { person } from '../../person.js';
import { volatile } from '../../volatile.js';

const ofAccount = { of: ['username'], as: 'name' } as const;
const privateOf = { of: ['username'], as: 'private' } as const;
const ofAuthor = { of: ['author', 'username'], as: 'name' } as const;

const bioLink = object(() => ({
  title: textOrNull('Title of the link.').register(person, privateOf),
  url: text('URL of the link.').register(person, privateOf),
}));

const contactButton = object(() => ({
  type: text('What the button does: `email`, `call`, `text`, `directions`, or the platform’s own word.'),
  value: textOrNull('The e-mail address, phone number or place behind it.').register(person, privateOf),
}));

/** An account. Counts are exact. */
export const photosocialProfile = object(() => ({
  username: text('Handle, lower case, without @.').register(person, ofAccount),
  name: textOrNull('Display name.').register(person, ofAccount),
  biography: textOrNull('Bio; null if there is none.'),
  bio_links: z
    .array(bioLink)
    .nullable()
    .describe('Links in the bio, in order; null if the page does not say them.'),
  followers_count: countOrNull('Followers.'),
  follows_count: countOrNull('Accounts followed.'),
  media_count: countOrNull(
    'Number of posts, from the page’s description where that is exact (below 10,000) or from the embed page.',
  ),
  is_verified: flagOrNull('Has the verification badge.'),
  is_private: flagOrNull('Only followers can see its posts.'),
  is_business_account: flagOrNull('Whether it is a business account; rarely shown to logged-out visitors.'),
  category: textOrNull('Category shown under the name; null when the account hides it.'),
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
const mediaUrl = textOrNull('Signed URL of the picture or video; expires after one to four days.').register(
  volatile,
  { as: 'media' },
);

/** A post or short video. */
export const photosocialPost = object(() => ({
  shortcode: text('Code of the post in its URL.'),
  permalink: text('URL of the post.'),
  media_type: mediaType,
  caption: textOrNull('Caption; null if there is none or it is unknown; hashtags is then null, too.'),
  timestamp: moment('When it was posted.').nullable(),
  media_url: mediaUrl,
  children: z
    .array(z.strictObject({ media_type: mediaType, media_url: mediaUrl }))
    .nullable()
    .describe(
      'Pictures and videos of a carousel, in order; empty for any other post, null if the page does not list them.',
    ),
  like_count: countOrNull('Likes; null when the owner hides them.'),
  comments_count: countOrNull('Comments, replies included.'),
  view_count: countOrNull('Plays of a video; sometimes shown in lists, never on the page of the video.'),
  hashtags: textsOrNull(
    'Hashtags in the caption: lower case, without #, no duplicates, in order; null if the caption is unknown.',
  ),
  mentions: z
    .array(z.string().register(person, ofAccount))
    .nullable()
    .describe(
      'Handles mentioned in the caption: lower case, without @, no duplicates, in order; null if the caption is unknown.',
    ),
  is_paid_partnership: flagOrNull('Has the paid-partnership label; null if the page does not say.'),
  username: textOrNull('Handle of the owner.').register(person, ofAuthor),
})).meta({ id: 'photosocial_post' });

/** A comment, or a reply to one. */
export const photosocialComment = object(() => ({
  username: text('Handle of the author.').register(person, ofAuthor),
  text: textOrNull('Text; null for a comment without text, such as a picture or a sticker.'),
  timestamp: moment('When it was written.'),
  like_count: countOrNull('Likes.'),
  reply_count: countOrNull(
    'Number of replies; null if the page does not say. Logged-out visitors have not been shown it since 2026.',
  ),
  parent_id: textOrNull('ID of the comment it replies to; null at the top level.'),
})).meta({ id: 'photosocial_comment' });

export type PhotosocialProfile = z.output<typeof photosocialProfile>;
export type PhotosocialPost = z.output<typeof photosocialPost>;
export type PhotosocialComment = z.output<typeof photosocialComment>;
