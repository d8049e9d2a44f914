import { urlOrNull } from '../../read/convert.js';

/**
 * Address of a picture in full size: what stands after the last `=` tells the server the size to give
 * (`=w203-h152-k-no`), and `=s0` is the picture as it was uploaded.
 */
export function fullSizeUrl(value: unknown): string | null {
  const url = urlOrNull(value);
  if (url === null) return null;
  return url.replace(/=[swh]\d[^=/?#]*$/, '=s0');
}
