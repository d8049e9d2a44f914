import { idOrNull, textOrNull } from '../../read/convert.js';
import { authorOrNull, type ItemAuthor, type PageItemSource } from '../../read/item-source.js';
import { at } from '../../read/json.js';
import { captionsOf } from './captions.js';
import type { ShortvideoProfile } from './objects.js';
import { home, profileUrl, videoUrl } from './urls.js';

/** An account as the author of something, as `author` of an item or `user` of a comment names it. */
function authorOf(id: unknown, handle: unknown, name: unknown): ItemAuthor | null {
  const username = textOrNull(handle);
  return authorOrNull({
    id: idOrNull(id),
    handle: username,
    name: textOrNull(name),
    url: username === null ? null : profileUrl(username),
  });
}

/** A video whose author the page may name; the address of a video is its author's, and leads there without one, too. */
function sourceOf(id: string, author: ItemAuthor | null, isPhotoPost: boolean): PageItemSource {
  const handle = author?.handle ?? null;
  const path = isPhotoPost ? 'photo' : 'video';
  const url = handle === null ? videoUrl(id) : `${home}/@${encodeURIComponent(handle)}/${path}/${id}`;
  return { id, url, author };
}

/** A video or photo post, by what its page says of the author. */
export const sourceOfVideo = (
  id: string,
  author: { readonly id: unknown; readonly handle: unknown; readonly name: unknown },
  isPhotoPost: boolean,
): PageItemSource => sourceOf(id, authorOf(author.id, author.handle, author.name), isPhotoPost);

/** A video or photo post of the platform's web pages (`itemStruct`, 2026-09). */
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

/** A video of an embed page's list (2026-09). */
export const sourceOfListed = (item: unknown, id: string): PageItemSource =>
  sourceOf(id, authorOf(undefined, at(item, 'authorUniqueId'), undefined), false);

/** A comment, which is seen below its video: it has no page of its own. */
export const sourceOfComment = (row: unknown, id: string, video: string): PageItemSource => ({
  id,
  url: videoUrl(video),
  author: authorOf(at(row, 'user', 'uid'), at(row, 'user', 'unique_id'), at(row, 'user', 'nickname')),
});

/** An account, by its number where the page says it. */
export const sourceOfAccount = (
  number: unknown,
  { username, profile_url }: ShortvideoProfile,
): PageItemSource => ({
  id: idOrNull(number) ?? username,
  url: profile_url,
  author: null,
});
