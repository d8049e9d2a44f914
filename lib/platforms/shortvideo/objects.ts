import * as z from 'zod';
import { object } from '../../object.js';
import { person } from '../../person.js';
import { volatile } from '../../volatile.js';

/** Counts of videos and comments are as the platform publishes them: exact below 10,000, then in hundreds. */
const count = (description: string) =>
  z.int().min(0).nullable().describe(description).register(volatile, { as: 'count' });
const exact = (description: string) =>
  z.int().min(0).describe(description).register(volatile, { as: 'count' });
const moment = (description: string) => z.iso.datetime().describe(description);

/** An account. Its counts are exact: the page has them next to the rounded ones. */
export const shortvideoProfile = object(() => ({
  username: z
    .string()
    .min(1)
    .describe('Handle in the account’s own spelling, without @.')
    .register(person, { of: ['username'], as: 'name' }),
  display_name: z
    .string()
    .describe('Name shown above the handle.')
    .register(person, { of: ['username'], as: 'name' }),
  bio_description: z.string().describe('Bio; "" if there is none.'),
  bio_url: z
    .string()
    .nullable()
    .describe('Link in the bio, with https:// added if the page omits it.')
    .register(person, { of: ['username'], as: 'private' }),
  avatar_url: z
    .string()
    .min(1)
    .describe('Signed URL of the profile picture; expires after about two days.')
    .register(volatile, { as: 'media' })
    .register(person, { of: ['username'], as: 'private' }),
  profile_url: z
    .string()
    .min(1)
    .describe('URL of the profile page.')
    .register(person, { of: ['username'], as: 'name' }),
  is_verified: z.boolean().describe('Has the verification badge.'),
  follower_count: exact('Followers.'),
  following_count: exact('Accounts followed.'),
  likes_count: exact('Likes received on all videos.'),
  video_count: exact('Public videos.'),
}))
  .meta({ id: 'shortvideo_profile' })
  .register(person, { of: ['username'], as: 'account' });

const sound = object(() => ({
  id: z.string().nullable().describe('ID of the sound.'),
  title: z.string().nullable().describe('Title.'),
  author: z
    .string()
    .nullable()
    .describe('Who is credited.')
    .register(person, { of: ['author', 'username'], as: 'name' }),
  is_original: z.boolean().nullable().describe('Whether the platform marks it as original.'),
  duration: z.int().min(0).nullable().describe('Seconds.'),
})).describe('Sound of the video.');

/** A video or a photo post. */
export const shortvideoVideo = object(() => ({
  id: z.string().min(1).describe('ID, a number above 2^53: keep it as text.'),
  video_description: z.string().nullable().describe('Caption.'),
  create_time: moment('When it was posted.').nullable(),
  duration: z.number().min(0).nullable().describe('Seconds; null for photo posts.'),
  cover_image_url: z
    .string()
    .nullable()
    .describe('Signed URL of the cover; expires.')
    .register(volatile, { as: 'media' }),
  view_count: count('Views.'),
  like_count: count('Likes.'),
  comment_count: count('Comments, replies included.'),
  share_count: count('Shares.'),
  favorites_count: count('Times saved.'),
  hashtag_names: z.array(z.string()).nullable().describe('Hashtags without #, in order.'),
  sound: sound.nullable(),
  play_url: z
    .string()
    .nullable()
    .describe('Signed URL of the video file; expires.')
    .register(volatile, { as: 'media' }),
})).meta({ id: 'shortvideo_video' });

/** A comment, or a reply to one. */
export const shortvideoComment = object(() => ({
  id: z.string().min(1).describe('Comment ID.'),
  video_id: z.string().min(1).describe('ID of the video.'),
  parent_comment_id: z
    .string()
    .nullable()
    .describe('ID of the comment it replies to; null at the top level.'),
  username: z
    .string()
    .nullable()
    .describe('Handle of the author; null for a deleted account.')
    .register(person, { of: ['author', 'username'], as: 'name' }),
  text: z.string().nullable().describe('Text; null for a comment that is only a picture.'),
  create_time: moment('When it was written.'),
  like_count: count('Likes.'),
  reply_count: count('Replies; null on a reply.'),
})).meta({ id: 'shortvideo_comment' });

/** A hashtag. Named by the contract and returned by no endpoint. */
export const shortvideoHashtag = object(() => ({
  id: z.string().min(1).describe('Hashtag ID.'),
  name: z.string().min(1).describe('Name without #.'),
  description: z.string().nullable().describe('Description.'),
  view_count: count('Views of all videos.'),
  video_count: count('Number of videos; null if the platform does not say.'),
  cover_image_url: z.string().nullable().describe('URL of the cover.').register(volatile, { as: 'media' }),
})).meta({ id: 'shortvideo_hashtag' });

export type ShortvideoProfile = z.output<typeof shortvideoProfile>;
export type ShortvideoVideo = z.output<typeof shortvideoVideo>;
export type ShortvideoComment = z.output<typeof shortvideoComment>;
export type ShortvideoHashtag = z.output<typeof shortvideoHashtag>;
