import * as z from 'zod';
import { object } from '../../object.js';
import {
  count,
  countOrNull,
  flagOrNull,
  moment,
  text,
  textOrNull,
  textsOrNull,
} from '../../object-fields.js';
import { person } from '../../person.js';
import { volatile } from '../../volatile.js';

const ofAccount = { of: ['username'], as: 'name' } as const;
const privateOf = { of: ['username'], as: 'private' } as const;
const ofAuthor = { of: ['author', 'username'], as: 'name' } as const;

/** An account. Its counts are exact: the page has them next to the rounded ones. */
export const shortvideoProfile = object(() => ({
  username: text('Handle in the account’s own spelling, without @.').register(person, ofAccount),
  display_name: z.string().describe('Name shown above the handle.').register(person, ofAccount),
  bio_description: z.string().describe('Bio; "" if there is none.'),
  bio_url: textOrNull('Link in the bio, with https:// added if the page omits it.').register(
    person,
    privateOf,
  ),
  avatar_url: text('Signed URL of the profile picture; expires after about two days.')
    .register(volatile, { as: 'media' })
    .register(person, privateOf),
  profile_url: text('URL of the profile page.').register(person, ofAccount),
  is_verified: z.boolean().describe('Has the verification badge.'),
  follower_count: count('Followers.'),
  following_count: count('Accounts followed.'),
  likes_count: count('Likes received on all videos.'),
  video_count: count('Public videos.'),
}))
  .meta({ id: 'shortvideo_profile' })
  .register(person, { of: ['username'], as: 'account' });

const sound = object(() => ({
  id: textOrNull('ID of the sound.'),
  title: textOrNull('Title.'),
  author: textOrNull('Who is credited.').register(person, ofAuthor),
  is_original: flagOrNull('Whether the platform marks it as original.'),
  duration: z.int().min(0).nullable().describe('Seconds.'),
})).describe('Sound of the video.');

/** A video or a photo post. */
export const shortvideoVideo = object(() => ({
  id: text('ID, a number above 2^53: keep it as text.'),
  video_description: textOrNull('Caption.'),
  create_time: moment('When it was posted.').nullable(),
  duration: z.number().min(0).nullable().describe('Seconds; null for photo posts.'),
  cover_image_url: textOrNull('Signed URL of the cover; expires.').register(volatile, { as: 'media' }),
  view_count: countOrNull('Views.'),
  like_count: countOrNull('Likes.'),
  comment_count: countOrNull('Comments, replies included.'),
  share_count: countOrNull('Shares.'),
  favorites_count: countOrNull('Times saved.'),
  hashtag_names: textsOrNull('Hashtags without #, in order.'),
  sound: sound.nullable(),
  play_url: textOrNull('Signed URL of the video file; expires.').register(volatile, { as: 'media' }),
})).meta({ id: 'shortvideo_video' });

/** A comment, or a reply to one. */
export const shortvideoComment = object(() => ({
  id: text('Comment ID.'),
  video_id: text('ID of the video.'),
  parent_comment_id: textOrNull('ID of the comment it replies to; null at the top level.'),
  username: textOrNull('Handle of the author; null for a deleted account.').register(person, ofAuthor),
  text: textOrNull('Text; null for a comment that is only a picture.'),
  create_time: moment('When it was written.'),
  like_count: countOrNull('Likes.'),
  reply_count: countOrNull('Replies; null on a reply.'),
})).meta({ id: 'shortvideo_comment' });

/** A hashtag. Named by the contract and returned by no endpoint. */
export const shortvideoHashtag = object(() => ({
  id: text('Hashtag ID.'),
  name: text('Name without #.'),
  description: textOrNull('Description.'),
  view_count: countOrNull('Views of all videos.'),
  video_count: countOrNull('Number of videos; null if the platform does not say.'),
  cover_image_url: textOrNull('URL of the cover.').register(volatile, { as: 'media' }),
})).meta({ id: 'shortvideo_hashtag' });

export type ShortvideoProfile = z.output<typeof shortvideoProfile>;
export type ShortvideoVideo = z.output<typeof shortvideoVideo>;
export type ShortvideoComment = z.output<typeof shortvideoComment>;
export type ShortvideoHashtag = z.output<typeof shortvideoHashtag>;
