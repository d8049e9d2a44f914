import { idOrNull, textOrNull } from '../../read/convert.js';
import { authorOrNull, type ItemAuthor, type PageItemSource } from '../../read/item-source.js';
import { at } from '../../read/json.js';
import { captionsOf } from './captions.js';
import type { ShortvideoProfile } from './objects.js';
import { home, profileUrl, videoUrl } from './urls.js';

/** Returns an author from `author` of an item or `user` of a comment. */
function authorOf(id: unknown, handle: unknown, name: unknown): ItemAuthor | null {
  const username = textOrNull(handle);
  return authorOrNull({
    id: idOrNull(id),
    handle: username,
    name: textOrNull(name),
    url: username === null ? null : profileUrl(username),
  });
}

/**
 * The source of a video whose author the page may name. A video's address contains its author's handle, but works
 * without one.
 */
function sourceOf(id: string, author: ItemAuthor | null, isPhotoPost: boolean): PageItemSource {
  const handle = author?.handle ?? null;
  const path = isPhotoPost ? 'photo' : 'video';
  const url = handle === null ? videoUrl(id) : `${home}/@${encodeURIComponent(handle)}/${path}/${id}`;
  return { id, url, author };
}

/** The source of a video or photo post, from what its page says of the author. */
export const sourceOfVideo = (
  id: string,
  author: { readonly id: unknown; readonly handle: unknown; readonly name: unknown },
  isPhotoPost: boolean,
): PageItemSource => sourceOf(id, authorOf(author.id, author.handle, author.name), isPhotoPost);

/** The source of a video or photo post on the platform's web pages (`itemStruct`, 2026-09). */
export function sourceOfItem(item: unknown, id: string): PageItemSource {
  const author = at(item, 'author');
  const handle = typeof author === 'string' ? author : at(author, 'uniqueId');
  const source = sourceOf(
    id,
    authorOf(
      at(author, 'id') ?? at(item, 'authorId'),
      handle,
      at(author, 'nickname') ?? at(item, 'nickname'),
    ),
    at(item, 'imagePost') != null,
  );
  const captions = captionsOf(item);
  return captions === undefined ? source : { ...source, captions };
}

/** The source of a video in an embed page's list (2026-09). */
export const sourceOfListed = (item: unknown, id: string): PageItemSource =>
  sourceOf(id, authorOf(undefined, at(item, 'authorUniqueId'), undefined), false);

/** The source of a comment, which has no page except its video's. */
export const sourceOfComment = (row: unknown, id: string, video: string): PageItemSource => ({
  id,
  url: videoUrl(video),
  author: authorOf(at(row, 'user', 'uid'), at(row, 'user', 'unique_id'), at(row, 'user', 'nickname')),
});

/** The source of an account, with its number if the page has it. */
export const sourceOfAccount = (
  number: unknown,
  { username, profile_url }: ShortvideoProfile,
): PageItemSource => ({
  id: idOrNull(number) ?? username,
  url: profile_url,
  author: null,
});
