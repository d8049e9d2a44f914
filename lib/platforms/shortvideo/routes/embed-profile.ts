import { ExtractError } from '../../../errors/extract-error.js';
import { boolOrNull, textOrEmpty, urlOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import { requireValue } from '../../../read/refusal.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import type { Page } from '../../../web/page-source.js';
import { accountEmbed, readAccountEmbed } from '../account-embed.js';
import { sourceOfAccount } from '../item-sources.js';
import type { ShortvideoProfile } from '../objects.js';
import { profileCounts } from '../profile-page.js';
import { twinCount } from '../twin-counts.js';
import { profileUrl } from '../urls.js';
import { readVideoEmbed, videoEmbed } from '../video-embed.js';

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
