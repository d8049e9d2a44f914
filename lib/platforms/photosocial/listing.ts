import { ExtractError } from '../../errors/extract-error.js';
import { complete } from '../../read/complete.js';
import { countOrNull, textOrNull } from '../../read/convert.js';
import type { FilledPage } from '../../read/fill-page.js';
import { type Located, locatedData } from '../../read/item-source.js';
import { requireValue } from '../../read/refusal.js';
import type { GuestSession } from './guest-session.js';
import type { PhotosocialPost } from './objects.js';
import { mergePost } from './post-object.js';
import { ownPosts } from './post-source.js';
import type { RawList } from './raw-list.js';

/**
 * Where a list continues: the platform's cursor, null where it names none. Null at the end, of which the platform's word
 * is needed: a list that does not say so has a next part, which cannot be asked for.
 */
export const nextOf = ({ more, after }: RawList<unknown>): { readonly after: string | null } | null =>
  more === false ? null : { after: textOrNull(after) };

/** The cursor of the next part. Throws `platform_changed` where the list named none. */
export const requireCursor = (after: string | null): string =>
  requireValue(after, 'the place where its list continues');

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
