/**
 * Fields whose numbers grow by themselves. A change of these alone is no news, unless the user counts them. Every
 * popular account would be news at each run.
 */
export const countFields: ReadonlySet<string> = new Set([
  'user_ratings_total',
  'rating_distribution',
  'review_count',
  'follower_count',
  'connection_count',
  'employees_on_pronetwork',
  'reaction_count',
  'reaction_breakdown',
  'comment_count',
  'repost_count',
  'followers_count',
  'follows_count',
  'media_count',
  'like_count',
  'comments_count',
  'view_count',
  'reply_count',
  'following_count',
  'likes_count',
  'video_count',
  'share_count',
  'favorites_count',
]);

/** Fields that say something of the moment of reading: never news. */
export const momentaryFields: ReadonlySet<string> = new Set(['open_now', 'popular_times']);

/** Fields with the address of a picture or video, whose host and signature differ at each reading. */
export const mediaFields: ReadonlySet<string> = new Set([
  'media_url',
  'avatar_url',
  'cover_image_url',
  'play_url',
  'thumbnail_url',
  'photo_url',
]);

/** Fields whose `url` is such an address. */
const mediaHolders: ReadonlySet<string> = new Set(['photos', 'images', 'video', 'document', 'children']);

/** The name of the file that a media address leads to: what stays the same while signatures and hosts change. */
function fileOf(address: string): string {
  const path = address.replace(/[?#].*$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * A value without what changes by itself: the same for two readings of something that nobody changed. `counts` keeps the
 * counts.
 */
export function stableValue(value: unknown, counts: boolean, holder = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => stableValue(one, counts, holder));
  if (value === null || typeof value !== 'object') return value;
  const stable: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (momentaryFields.has(key) || (!counts && countFields.has(key))) continue;
    const isMedia = mediaFields.has(key) || (key === 'url' && mediaHolders.has(holder));
    stable[key] = isMedia && typeof inner === 'string' ? fileOf(inner) : stableValue(inner, counts, key);
  }
  return stable;
}
