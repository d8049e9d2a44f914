import { boolOrNull, textOrEmpty, urlOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { ObjectReading } from '../../routes/route.js';
import type { Page } from '../../web/page-source.js';
import { firstUrl } from './first-url.js';
import { sourceOfAccount } from './item-sources.js';
import type { ShortvideoProfile } from './objects.js';
import type { TwinCount } from './twin-counts.js';
import { profileUrl } from './urls.js';
import { userCount, userDetail } from './user-detail.js';

/** Returns the counts of a profile, and the names of the rounded ones. */
export function profileCounts(twins: {
  readonly follower_count: TwinCount | null;
  readonly following_count: TwinCount | null;
  readonly likes_count: TwinCount | null;
  readonly video_count: TwinCount | null;
}) {
  const entries = Object.entries(twins).map(
    ([name, twin]) => [name, requireValue(twin, `its ${name}`)] as const,
  );
  return {
    counts: Object.fromEntries(entries.map(([name, { count }]) => [name, count])) as Record<
      keyof typeof twins,
      number
    >,
    rounded: entries.flatMap(([name, { isRounded }]) => (isRounded ? [name] : [])),
  };
}

/**
 * Reads a profile from its page. `stats.heartCount` is a 32-bit number and overflows below zero from 2^31 likes on;
 * `stats.heart` does not (2026-09). Counts present only in their displayed form are rounded.
 */
export function readProfile(page: Page, username: string): ObjectReading<ShortvideoProfile> {
  const { handle, info } = userDetail(page, username);
  const user = at(info, 'user');
  const { counts, rounded } = profileCounts({
    follower_count: userCount(info, 'followerCount'),
    following_count: userCount(info, 'followingCount'),
    likes_count: userCount(info, 'heartCount', 'heart'),
    video_count: userCount(info, 'videoCount'),
  });
  const data = {
    username: handle,
    display_name: requireValue(textOrEmpty(at(user, 'nickname')), 'a display name'),
    bio_description: requireValue(textOrEmpty(at(user, 'signature')), 'a bio'),
    bio_url: urlOrNull(at(user, 'bioLink', 'link')),
    avatar_url: requireValue(
      firstUrl(at(user, 'avatarLarger'), at(user, 'avatarMedium'), at(user, 'avatarThumb')),
      'an avatar',
    ),
    profile_url: profileUrl(handle),
    is_verified: requireValue(boolOrNull(at(user, 'verified')), 'a verification mark'),
    ...counts,
  };
  return { data, source: sourceOfAccount(at(user, 'id'), data), rounded };
}
