import { idOrNull, textOrNull } from '../../read/convert.js';
import { authorOrNull, type ItemAuthor, type PageItemSource } from '../../read/item-source.js';
import type { RawComment } from './comment-shapes.js';
import type { PhotosocialPost } from './objects.js';
import { postUrl, profileUrl } from './urls.js';

function authorOf(id: unknown, handle: unknown, name: unknown): ItemAuthor | null {
  const username = textOrNull(handle)?.toLowerCase() ?? null;
  return authorOrNull({
    id: idOrNull(id),
    handle: username,
    name: textOrNull(name),
    url: username === null ? null : profileUrl(username),
  });
}

/** The source of a post, with its owner as named in the page or the list. */
export const sourceOfPost = (
  { shortcode, permalink, username }: PhotosocialPost,
  { ownerId, ownerName }: { readonly ownerId?: unknown; readonly ownerName?: unknown } = {},
): PageItemSource => ({ id: shortcode, url: permalink, author: authorOf(ownerId, username, ownerName) });

/** The source of a comment: its address below the post. */
export function sourceOfComment(raw: RawComment, shortcode: string): PageItemSource {
  const id = idOrNull(raw.id);
  return {
    id,
    url: id === null ? null : `${postUrl(shortcode)}c/${id}/`,
    author: authorOf(raw.userId, raw.username, raw.fullName),
  };
}

/** The source of an account, with its number if the page has it. */
export const sourceOfAccount = (number: string | null, username: string): PageItemSource => ({
  id: number ?? username,
  url: profileUrl(username),
  author: null,
});
