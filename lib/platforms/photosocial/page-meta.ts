import { resolveReferences } from '../../read/html-text.js';
import type { Page } from '../../web/page-source.js';
import { countOf, profileCountsIn, roundedFrom } from './head-counts.js';
import type { PhotosocialProfile } from './objects.js';
import { utf8Of } from './page-data.js';

/** Bytes around the description's name that contain the complete element. */
const reach = 2000;

type Counts = Readonly<Record<'followers' | 'follows' | 'posts' | 'exactPosts', number | null>>;

const unknown: Counts = { followers: null, follows: null, posts: null, exactPosts: null };

/**
 * Returns the counts in a profile page's description (“291M Followers, 269 Following, 1,667 Posts - … from Name
 * (@handle)”, 2026-10, in English as requested), from 10,000 up rounded. Null without counts, or if they are another
 * account's.
 */
function shownCounts(page: Page, username: string): Counts {
  const bytes = utf8Of(page);
  const start = bytes.indexOf('og:description');
  if (start < 0) return unknown;
  const before = bytes.toString('utf8', Math.max(0, start - reach), start);
  const behind = bytes.toString('utf8', start, start + reach);
  const element =
    before.slice(Math.max(0, before.lastIndexOf('<'))) + behind.slice(0, Math.max(0, behind.indexOf('>')));
  const description = resolveReferences(/\scontent=(["'])(.*?)\1/s.exec(element)?.[2] ?? '');
  const words = profileCountsIn(description);
  if (words === null || !description.toLowerCase().includes(`(@${username})`)) return unknown;
  const posts = countOf(words.posts, 'posts');
  const isExact = /\d posts?$/i.test(words.posts) && posts !== null && posts < roundedFrom;
  return {
    followers: countOf(words.followers, 'followers'),
    follows: countOf(words.follows, 'follows'),
    posts,
    exactPosts: isExact ? posts : null,
  };
}

/** Returns the number of posts in a profile page's description; null for a rounded one. */
export const postCountOf = (page: Page, username: string) => shownCounts(page, username).exactPosts;

/** A 0 that the description contradicts is unknown. */
const agreed = (count: number | null, described: number | null) =>
  count === 0 && described !== 0 && described !== null ? null : count;

/** Returns the counts of a profile page's data, held against its description, which has those that are missing. */
export function agreedCounts(
  page: Page,
  profile: Pick<PhotosocialProfile, 'username' | 'followers_count' | 'follows_count' | 'media_count'>,
) {
  const { followers, follows, posts, exactPosts } = shownCounts(page, profile.username);
  return {
    followers_count: agreed(profile.followers_count, followers),
    follows_count: agreed(profile.follows_count, follows),
    media_count: agreed(profile.media_count, posts) ?? exactPosts,
  };
}
