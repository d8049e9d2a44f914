import { ExtractError } from '../../errors/extract-error.js';
import { complete } from '../../read/complete.js';
import { countOrNull, textOrNull } from '../../read/convert.js';
import type { Gathered } from '../../read/gather.js';
import type { GuestSession } from './guest-session.js';
import type { PhotosocialPost } from './objects.js';
import { completed } from './post-object.js';
import { ownPosts } from './post-source.js';
import type { RawList } from './raw-list.js';

/** Where the next stretch of a list begins, in the platform's own words; null at its end. */
export function cursorOf(list: RawList<unknown>): string | null {
  return list.more === true ? textOrNull(list.after) : null;
}

/**
 * Refuses a list without items that the source does not prove empty: the platform withholds what it does not
 * want to show without a word.
 */
export function refuseWithheld(list: RawList<unknown>, what: string): void {
  if (list.items.length > 0 || countOrNull(list.total) === 0) return;
  throw new ExtractError('platform_blocked', `The platform answered without ${what}, which it withholds.`);
}

/** Further stretches of the older shapes are shown to people who are signed in only (since 2022). */
export function refuseFurther(): never {
  throw new ExtractError(
    'platform_login_required',
    'The platform shows the next stretch of this list only to people who are signed in.',
  );
}

/**
 * A page of posts: those that the listing gave without their time, as logged-out listings do, are completed
 * from their own pages.
 */
export async function postsReading(guest: GuestSession, gathered: Gathered<PhotosocialPost>) {
  const ownPost = ownPosts(guest);
  const { items, whole } = await complete(
    gathered.items,
    (post) => post.timestamp === null,
    async (post) => completed(post, await ownPost(post.shortcode)),
  );
  return {
    data: [...items],
    ids: items.map((post) => post.shortcode),
    next: gathered.next,
    brief: !whole || !gathered.whole,
  };
}
