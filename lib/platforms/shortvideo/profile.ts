import { defineEndpoint } from '../../endpoint.js';
import { boolOrNull, textOrEmpty, urlOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { firstUrl } from './first-url.js';
import { sourceOfAccount } from './item-sources.js';
import { type ShortvideoProfile, shortvideoProfile } from './objects.js';
import { profilePage } from './page-requests.js';
import { resolveAccount } from './short-link.js';
import { site } from './site.js';
import { accountOf, accountParams, profileUrl } from './urls.js';
import { userCount, userDetail } from './user-detail.js';

/**
 * Profile page → object. `stats.heartCount` is a 32-bit number and overflows below zero from 2^31 likes on;
 * `stats.heart` does not (2026-09).
 */
export function readProfile(page: Page, username: string): ShortvideoProfile {
  const { handle, info } = userDetail(page, username);
  const user = at(info, 'user');
  const counts = {
    follower_count: requireValue(userCount(info, 'followerCount'), 'a follower count'),
    following_count: requireValue(userCount(info, 'followingCount'), 'a following count'),
    likes_count: requireValue(userCount(info, 'heartCount', 'heart'), 'a like count'),
    video_count: requireValue(userCount(info, 'videoCount'), 'a video count'),
  };
  return {
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
    follower_count: counts.follower_count.count,
    following_count: counts.following_count.count,
    likes_count: counts.likes_count.count,
    video_count: counts.video_count.count,
  };
}

/** GET /shortvideo/profile */
export const profile = defineEndpoint({
  path: 'shortvideo/profile',
  operation: 'get_shortvideo_profile',
  summary: 'TikTok profile: name, bio, link, picture and exact counts',
  description:
    'Reads the public profile page. Counts are exact. A banned account looks like one that never existed: both are profile_not_found.',
  credits: 3,
  cacheSeconds: 43_200,
  site,
  params: accountParams,
  exactlyOne: ['username', 'url'],
  renamed: { handle: 'username' },
  returns: shortvideoProfile,
  many: false,
  identify: accountOf,
  async read({ identity, session }) {
    const username = await resolveAccount(identity, session);
    const page = await session.fetch(profilePage(username));
    const data = readProfile(page, username);
    return { data, sources: [sourceOfAccount(at(userDetail(page, username).info, 'user', 'id'), data)] };
  },
});
