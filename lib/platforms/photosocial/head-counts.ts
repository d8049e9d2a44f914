import { type CountedWords, wordedCount } from '../../read/worded-count.js';

/** Counts as worded in a page's head: “5,351 Followers, 3,408 Following, 713 Posts - …”, in English as requested. */
const words = {
  followers: { en: 'followers?(?!\\p{L})' },
  follows: { en: 'following(?!\\p{L})' },
  posts: { en: 'posts?(?!\\p{L})' },
  likes: { en: 'likes?(?!\\p{L})' },
  comments: { en: 'comments?(?!\\p{L})' },
} as const satisfies Record<string, CountedWords>;

export const countOf = (text: string, thing: keyof typeof words) => wordedCount(text, 'en', words[thing]);

/**
 * Returns the words for followers, follows and posts, before the dash in an account's description; null for other
 * wordings.
 */
export function profileCountsIn(description: string | null) {
  const [followers, follows, posts, ...others] = description?.split(' - ', 1)[0]?.split(/,\s+/) ?? [];
  if (followers === undefined || follows === undefined || posts === undefined || others.length > 0)
    return null;
  return { followers, follows, posts };
}

/** Returns the likes and comments in a post's description, each null if it is not there. */
export function postCountsIn(description: string) {
  const pieces = description.split(/,\s+/);
  // Otherwise a piece may be the first part of a number that continues in the next.
  const isKnown = pieces.every((piece) => /(?:like|comment)s?$/i.test(piece));
  const find = (thing: 'likes' | 'comments') =>
    isKnown ? (pieces.map((piece) => countOf(piece, thing)).find((count) => count !== null) ?? null) : null;
  return { likes: find('likes'), comments: find('comments') };
}

/** From here on a head rounds (“12.3K Posts”). */
export const roundedFrom = 10_000;

/** Fields of an answer from a head whose counts are rounded. */
export const roundedOf = (data: object): string[] =>
  Object.entries(data).flatMap(([field, value]) =>
    Number.isInteger(value) && value >= roundedFrom ? [field] : [],
  );
