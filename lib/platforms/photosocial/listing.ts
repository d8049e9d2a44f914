import { ExtractError } from '../../errors/extract-error.js';
import { complete } from '../../read/complete.js';
import { countOrNull, textOrNull } from '../../read/convert.js';
import type { FilledPage } from '../../read/fill-page.js';
import { type Located, locatedData } from '../../read/item-source.js';
import type { GuestSession } from './guest-session.js';
import type { PhotosocialPost } from './objects.js';
import { mergePost } from './post-object.js';
import { ownPosts } from './post-source.js';
import type { RawList } from './raw-list.js';

/** The platform's cursor of the next source page; null at the end. */
export function cursorOf(list: RawList<unknown>): string | null {
  return list.more === true ? textOrNull(list.after) : null;
}

/**
 * Refuses a list without items that the source does not prove empty. The platform withholds what it does not want to
 * show without a word.
 */
export function refuseWithheld(list: RawList<unknown>, what: string): void {
  if (list.items.length > 0 || countOrNull(list.total) === 0) return;
  throw new ExtractError('platform_blocked', `The platform answered without ${what}, which it withholds.`);
}

/**
 * A page of posts. Posts that the listing gave without their time, as to logged-out visitors, are completed from their
 * own pages.
 */
export async function postsResult(guest: GuestSession, filled: FilledPage<Located<PhotosocialPost>>) {
  const ownPost = ownPosts(guest);
  const { items, whole } = await complete(
    filled.items,
    ({ item }) => item.timestamp === null,
    async (post) => mergePost(post, await ownPost(post.item.shortcode)),
  );
  return {
    ...locatedData(items),
    ids: items.map(({ item }) => item.shortcode),
    next: filled.next,
    brief: !whole || !filled.whole,
    emptyProof: filled.emptyProof,
  };
}
