import type { Endpoint } from '../../../lib/endpoint.js';
import { profile } from '../../../lib/platforms/shortvideo/profile.js';
import { type Knockout, knockOut } from '../../support/knockout.js';
import { withoutInEmbed, withoutInScope } from './pages.js';

/** The page without some paths of its user detail. */
function without(...paths: string[][]): Knockout['remove'] {
  const fullPaths = paths.map((path) => ['userInfo', ...path]);
  return (html) => withoutInScope(html, 'webapp.user-detail', ...fullPaths);
}
const count = (name: string): Knockout => ({
  mandatory: true,
  remove: without(['statsV2', name], ['stats', name]),
});

await knockOut(profile as Endpoint, 'rich', {
  username: { mandatory: true, remove: without(['user', 'uniqueId']) },
  display_name: { mandatory: true, remove: without(['user', 'nickname']) },
  bio_description: { mandatory: true, remove: without(['user', 'signature']) },
  bio_url: without(['user', 'bioLink']),
  avatar_url: {
    mandatory: true,
    remove: without(['user', 'avatarLarger'], ['user', 'avatarMedium'], ['user', 'avatarThumb']),
  },
  profile_url: { mandatory: true, remove: without(['user', 'uniqueId']) },
  is_verified: { mandatory: true, remove: without(['user', 'verified']) },
  follower_count: count('followerCount'),
  following_count: count('followingCount'),
  likes_count: {
    mandatory: true,
    remove: without(
      ['statsV2', 'heart'],
      ['statsV2', 'heartCount'],
      ['stats', 'heart'],
      ['stats', 'heartCount'],
    ),
  },
  video_count: count('videoCount'),
});

const inEmbed = (...paths: string[][]): Knockout => ({
  mandatory: true,
  remove: (html) => withoutInEmbed(html, ...paths),
});
const author = (...path: string[]) => ['videoData', ...path];

await knockOut(
  profile as Endpoint,
  'the page waits: by the embed pages of the account and of a video',
  {
    username: inEmbed(['userInfo', 'uniqueId']),
    display_name: inEmbed(['userInfo', 'nickname']),
    bio_description: inEmbed(['userInfo', 'signature']),
    avatar_url: inEmbed(['userInfo', 'avatarThumbUrl'], author('authorInfos', 'covers')),
    profile_url: inEmbed(author('authorInfos', 'uniqueId')),
    is_verified: inEmbed(['userInfo', 'verified']),
    follower_count: inEmbed(['userInfo', 'followerCount'], author('authorStats', 'followerCount')),
    following_count: inEmbed(['userInfo', 'followingCount']),
    likes_count: inEmbed(['userInfo', 'heartCount'], author('authorStats', 'heartCount')),
    video_count: inEmbed(author('authorStats', 'videoCount')),
  },
  { never: ['bio_url'], code: 'platform_blocked' },
);
