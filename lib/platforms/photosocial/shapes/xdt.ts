import type { RawComment, RawList, RawPost } from '../raw-types.js';
import * as legacy from './legacy.js';

/** Shape X (2024): shape L under `xdt_shortcode_media`, with type names that begin with XDT. */

export const postOf: (media: unknown) => RawPost = legacy.postOf;

export function commentsOf(media: unknown): RawList<RawComment> | undefined {
  const list = legacy.commentsOf(media);
  return list === undefined ? undefined : { ...list, shape: 'X' };
}
