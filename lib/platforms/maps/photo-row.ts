import { countOrNull, numberOrNull, textOrNull, urlOrNull } from '../../read/convert.js';
import { listAt, valueAt } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import { fullSizeUrl } from './links.js';
import type { MapsPhoto } from './objects.js';
import { photo } from './paths.js';
import type { Point } from './point.js';

const pixels = (value: unknown) => countOrNull(value) || null;

/** Width and height: as listed, or from the list that has them reversed. */
export function sizeOf(row: unknown): Pick<MapsPhoto, 'width' | 'height'> {
  const [width, height] = listAt(row, ...photo.size);
  if (pixels(width) !== null && pixels(height) !== null) {
    return { width: pixels(width), height: pixels(height) };
  }
  const [otherHeight, otherWidth] = listAt(row, ...photo.swappedSize);
  const isComplete = pixels(otherHeight) !== null && pixels(otherWidth) !== null;
  return { width: isComplete ? pixels(otherWidth) : null, height: isComplete ? pixels(otherHeight) : null };
}

function uploaderOf(row: unknown): MapsPhoto['uploader'] {
  const name = textOrNull(valueAt(row, photo.uploaderName));
  return name === null ? null : { name, profile_url: urlOrNull(valueAt(row, photo.uploaderUrl)) };
}

/** True for Street View among the photos; its pictures are rendered on request and are not uploads. */
export function isStreetView(row: unknown): boolean {
  const url = valueAt(row, photo.url);
  return valueAt(row, photo.kind) === 0 || (typeof url === 'string' && url.includes('//streetviewpixels'));
}

export function pointOf(row: unknown): Point | null {
  const [, lng, lat] = listAt(row, ...photo.point).map(numberOrNull);
  return lat == null || lng == null ? null : { lat, lng };
}

export function readPhoto(row: unknown): MapsPhoto {
  return {
    url: requireValue(fullSizeUrl(valueAt(row, photo.url)), 'the URL of a photo'),
    ...sizeOf(row),
    uploader: uploaderOf(row),
  };
}
