import { intOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at, type Json } from '../../read/json.js';
import type { Part } from '../../routes/route.js';
import type { ShortvideoVideo } from './objects.js';

/**
 * Returns one part of a list that the platform publishes as a single window of about ten videos: the next `limit` of
 * them. Visitors see no more of the list than this window.
 */
export function windowPart(
  videos: readonly Located<ShortvideoVideo>[],
  { limit, part }: { readonly limit: number; readonly part: Json },
  total: number | null,
): Part<ShortvideoVideo> {
  const from = intOrNull(at(part, 'skip')) ?? 0;
  const to = from + limit;
  return {
    items: videos.slice(from, to),
    next: to < videos.length ? { skip: to } : null,
    emptyProof: { total, leftOut: videos.length },
    total,
    ended: 'visitors',
    endsEarly: to >= videos.length,
  };
}
