import { ExtractError } from '../../../errors/extract-error.js';
import { boolOrNull, textOrEmpty, urlOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import { requireValue } from '../../../read/refusal.js';
import type { ObjectReading, Part, Route } from '../../../routes/route.js';
import type { Page } from '../../../web/page-source.js';
import { accountEmbed, readAccountEmbed } from '../account-embed.js';
import { hashtagEmbed, hashtagOf, readHashtagEmbed } from '../hashtag-embed.js';
import { sourceOfAccount } from '../item-sources.js';
import type { ShortvideoComment, ShortvideoProfile, ShortvideoVideo } from '../objects.js';
import { profileCounts } from '../profile-page.js';
import type { VideoSubject } from '../short-link.js';
import { twinCount } from '../twin-counts.js';
import { profileUrl } from '../urls.js';
import { privateAccount } from '../user-detail.js';
import { readVideoEmbed, videoEmbed } from '../video-embed.js';
import { windowPart } from '../window.js';
import { noVideo, unlistedComments } from '../withheld.js';

const countless = (username: string) =>
  new ExtractError(
    'platform_restricted',
    `The embed pages of ${username} do not say how many videos there are.`,
  );

/** A private account shows no videos here, although its profile is public. */
function openAccount(page: Page, username: string) {
  try {
    return readAccountEmbed(page, username);
  } catch (error) {
    throw error instanceof ExtractError && error.code === 'account_private' ? countless(username) : error;
  }
}

/**
 * The embed pages of an account and of one of its videos. Only the second counts the account's videos, so an account
 * without visible videos is not answered.
 */
export const embedProfile: Route<string, ObjectReading<ShortvideoProfile>> = {
  name: 'embed',
  reads: 'The embed pages of the account and of one of its videos.',
  surface: 'embed',
  requests: 2,
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: { bio_url: 'never', follower_count: 'rounded', likes_count: 'rounded', video_count: 'rounded' },
  async read({ identity: username, session }) {
    const { user, handle, videos } = openAccount(await session.fetch(accountEmbed(username)), username);
    const [newest] = videos;
    if (newest === undefined) throw countless(username);
    const { id } = newest.item;
    const author = readVideoEmbed(await session.fetch(videoEmbed(id)), id)?.author;
    if (author == null) throw countless(username);
    if (author.username?.toLowerCase() !== username) {
      throw new ExtractError('platform_changed', `The video is by ${author.username}, not by ${username}.`);
    }
    const { counts, rounded } = profileCounts({
      follower_count: twinCount([], [at(user, 'followerCount'), author.follower_count]),
      following_count: twinCount([], [at(user, 'followingCount')]),
      likes_count: twinCount([], [at(user, 'heartCount'), author.likes_count]),
      video_count: twinCount([], [author.video_count]),
    });
    const data = {
      username: handle,
      display_name: requireValue(textOrEmpty(at(user, 'nickname')), 'a display name'),
      bio_description: requireValue(textOrEmpty(at(user, 'signature')), 'a bio'),
      bio_url: null,
      avatar_url: requireValue(author.avatar_url ?? urlOrNull(at(user, 'avatarThumbUrl')), 'an avatar'),
      profile_url: profileUrl(handle),
      is_verified: requireValue(boolOrNull(at(user, 'verified')), 'a verification mark'),
      ...counts,
    };
    return { data, source: sourceOfAccount(at(user, 'id'), data), rounded, brief: true };
  },
};

/** Fields of a video that lists on embed pages lack. */
export const notListed = {
  create_time: 'never',
  duration: 'never',
  like_count: 'never',
  comment_count: 'never',
  share_count: 'never',
  favorites_count: 'never',
  hashtag_names: 'never',
  sound: 'never',
} as const;

/** The embed page with an account's newest videos. */
export const embedVideos: Route<string, Part<ShortvideoVideo>> = {
  name: 'embed',
  reads: 'The embed page of the account: its newest 8 to 13 videos, pinned ones first.',
  surface: 'embed',
  holds: 13,
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: notListed,
  async read({ identity: username, session, limit, part }) {
    const { user, videos } = readAccountEmbed(await session.fetch(accountEmbed(username)), username);
    if (videos.length === 0 && at(user, 'privateAccount') === true) throw privateAccount(username);
    // An account that does not allow embedding shows none, either.
    if (videos.length === 0) {
      throw new ExtractError('platform_restricted', `The embed page of ${username} shows no videos.`);
    }
    return windowPart(videos, { limit, part }, null);
  },
};

export interface SearchSubject {
  readonly query: string;
}

export const embedHashtag: Route<SearchSubject, Part<ShortvideoVideo>> = {
  name: 'embed-tag',
  reads: 'The embed page of the hashtag: about ten of its videos. For one word.',
  surface: 'embed',
  holds: 10,
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  fills: notListed,
  applies: ({ query }) => hashtagOf(query) !== null,
  async read({ identity: { query }, session, limit, part }) {
    const { videos, total } = readHashtagEmbed(await session.fetch(hashtagEmbed(query)), query);
    return windowPart(videos, { limit, part }, total);
  },
};

export const embedVideo: Route<VideoSubject, ObjectReading<ShortvideoVideo>> = {
  name: 'embed-video',
  reads: 'The embed page of the video: all but how often it was saved and how long its sound is.',
  surface: 'embed',
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: { favorites_count: 'never' },
  async read({ identity: { id }, session }) {
    const video = readVideoEmbed(await session.fetch(videoEmbed(id)), id);
    if (video === null) throw noVideo(id);
    return { data: video.item, source: video.source, ofAuthor: video.author.video_count };
  },
};

/** The embed page of a video, which counts its comments but lists none. */
export const embedComments: Route<VideoSubject, Part<ShortvideoComment>> = {
  name: 'embed-video',
  reads: 'The embed page of the video: whether there are any comments.',
  surface: 'embed',
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: {
    id: 'never',
    video_id: 'never',
    parent_comment_id: 'never',
    username: 'never',
    text: 'never',
    create_time: 'never',
    like_count: 'never',
    reply_count: 'never',
  },
  async read({ identity: { id }, session }) {
    const video = readVideoEmbed(await session.fetch(videoEmbed(id)), id);
    if (video === null) throw noVideo(id);
    const { comment_count: total } = video.item;
    if (total !== 0) throw unlistedComments(total);
    return { items: [], next: null, emptyProof: { total }, ended: 'end' };
  },
};
