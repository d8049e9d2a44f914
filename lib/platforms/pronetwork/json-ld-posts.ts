import { firstCount, isoFromText, textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import { activityIdOf, postUrnOf } from './activity-id.js';
import { interactions, isA, many, type Thing } from './json-ld.js';
import { proseIn } from './json-ld-prose.js';
import { siteLinkOrNull } from './links.js';
import { blankPost, type PostCard, postCard } from './post-card.js';
import { pageOfUrl } from './urls.js';

/** JSON-LD types of a post (2024-2026). */
const kinds = ['DiscussionForumPosting', 'SocialMediaPosting', 'VideoObject', 'Article'];

const addressesOf = (thing: Thing) =>
  [
    at(thing, 'mainEntityOfPage'),
    at(thing, 'mainEntityOfPage', '@id'),
    at(thing, '@id'),
    at(thing, 'url'),
  ].filter((address) => typeof address === 'string');

/** Returns the posts in JSON-LD by their number. */
export function describedPosts(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  const described = new Map<string, Thing>();
  for (const thing of things) {
    if (!kinds.some((kind) => isA(thing, kind))) continue;
    const id = addressesOf(thing)
      .map(activityIdOf)
      .find((one) => one !== null);
    if (id !== undefined && id !== null && !described.has(id)) described.set(id, thing);
  }
  return described;
}

/**
 * Returns the full text of a post. If it shares an article, `text` is the article's title and `articleBody` its own.
 */
export function bodyOf(thing: Thing): string | null {
  return proseIn(thing, 'articleBody') ?? proseIn(thing, 'text') ?? proseIn(thing, 'description');
}

const longer = (one: string | null, other: string | null) =>
  (other?.length ?? 0) > (one?.length ?? 0) ? other : one;

const commentsIn = (thing: Thing) => firstCount(at(thing, 'commentCount'), interactions(thing, 'Comment'));

function authorIn(thing: Thing): PostCard['author'] {
  const [author] = many(at(thing, 'author'));
  const url = at(author, 'url');
  const name = textOrNull(at(author, 'name'));
  const details = { name, url: typeof url === 'string' ? siteLinkOrNull(url) : null };
  return details.name === null && details.url === null ? null : details;
}

export function enrichPost(one: PostCard, described: ReadonlyMap<string, Thing>): PostCard {
  const thing = one.id === null ? undefined : described.get(one.id);
  if (thing === undefined) return one;
  const { post } = one;
  return {
    ...one,
    author: one.author ?? authorIn(thing),
    post: {
      ...post,
      text: longer(post.text, bodyOf(thing)),
      published_at: post.published_at ?? isoFromText(at(thing, 'datePublished')),
      reaction_count: post.reaction_count ?? interactions(thing, 'Like'),
      comment_count: post.comment_count ?? commentsIn(thing),
    },
  };
}

/** Reads one person's posts from JSON-LD only: a page that hides its activity may still describe them. */
export function postsOf(described: ReadonlyMap<string, Thing>, names: readonly string[]): PostCard[] {
  return [...described].flatMap(([id, thing]) => {
    const authors = many(at(thing, 'author')).map((author) => at(author, 'url'));
    const permalink =
      addressesOf(thing)
        .map(siteLinkOrNull)
        .find((one) => one !== null) ?? null;
    const isByAccount = authors.some(
      (url) => typeof url === 'string' && names.includes(pageOfUrl(url)?.vanity ?? ''),
    );
    if (!isByAccount || !isA(thing, 'DiscussionForumPosting')) return [];
    const urn =
      addressesOf(thing)
        .map(postUrnOf)
        .find((name) => name !== null) ?? null;
    return [enrichPost(postCard(blankPost, { id, permalink, urn, partial: ['text', 'images'] }), described)];
  });
}
