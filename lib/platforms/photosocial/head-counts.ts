import { type CountedWords, wordedCount } from '../../read/worded-count.js';

/** Counts in the words of a page's head: “5,351 Followers, 3,408 Following, 713 Posts - …”, English as asked for. */
const words = {
  followers: { en: 'followers?(?!\\p{L})' },
  follows: { en: 'following(?!\\p{L})' },
  posts: { en: 'posts?(?!\\p{L})' },
  likes: { en: 'likes?(?!\\p{L})' },
  comments: { en: 'comments?(?!\\p{L})' },
} as const satisfies Record<string, CountedWords>;

/** How many of a thing a text counts, or null. */
export const countOf = (text: string, thing: keyof typeof words) => wordedCount(text, 'en', words[thing]);

/** The words for an account's followers, follows and posts, before the dash of its description; null in other words. */
export function profileCountsIn(description: string | null) {
  const [followers, follows, posts, ...others] = description?.split(' - ', 1)[0]?.split(/,\s+/) ?? [];
  if (followers === undefined || follows === undefined || posts === undefined || others.length > 0)
    return null;
  return { followers, follows, posts };
}

/** Likes and comments of a post's description, each null where it is not named. */
export function postCountsIn(description: string) {
  const pieces = description.split(/,\s+/);
  // A piece that names neither may be the beginning of a number that goes on in the next piece.
  const isKnown = pieces.every((piece) => /(?:like|comment)s?$/i.test(piece));
  const find = (thing: 'likes' | 'comments') =>
    isKnown ? (pieces.map((piece) => countOf(piece, thing)).find((count) => count !== null) ?? null) : null;
  return { likes: find('likes'), comments: find('comments') };
}
