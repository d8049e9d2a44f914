import { postUrnOf, publishedAt } from './activity-id.js';
import type { PronetworkPost } from './objects.js';

export interface PostCard {
  readonly id: string | null;
  /** Identifies the post within its list: its number if it has one. */
  readonly key: string;
  readonly permalink: string | null;
  /** The platform's URN of the post. */
  readonly urn: string | null;
  /** The publisher; null if only the list names it. */
  readonly author: { readonly name: string | null; readonly url: string | null } | null;
  readonly post: PronetworkPost;
  /** Fields that the list shows in part. */
  readonly partial: readonly (keyof PronetworkPost)[];
}

export const blankPost: PronetworkPost = {
  text: null,
  images: [],
  video: null,
  document: null,
  article: null,
  published_at: null,
  reaction_count: null,
  reaction_breakdown: null,
  comment_count: null,
  repost_count: null,
};

export function postCard(
  post: Omit<PronetworkPost, 'published_at' | 'repost_count'>,
  {
    id,
    permalink,
    urn = postUrnOf(permalink),
    author = null,
    partial = [],
  }: Pick<PostCard, 'id' | 'permalink'> & Partial<Pick<PostCard, 'urn' | 'author' | 'partial'>>,
): PostCard {
  const dated = { ...post, published_at: publishedAt(id), repost_count: null };
  return { id, key: id ?? permalink ?? JSON.stringify(post), permalink, urn, author, post: dated, partial };
}
