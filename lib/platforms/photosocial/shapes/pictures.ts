import { numberOrNull } from '../../../read/convert.js';
import { at, listAt } from '../../../read/json.js';

const size = (candidate: unknown) => {
  const width = numberOrNull(at(candidate, 'width'));
  const height = numberOrNull(at(candidate, 'height'));
  return width !== null && height !== null && width > 0 && height > 0 ? { width, height } : null;
};

/**
 * Addresses of the pictures that V1 and P offer, the best first: the largest of the post's own proportions.
 * Squares cut out of the picture stand at the end of the list and may be larger than the whole.
 */
export function picturesOf(media: unknown): unknown[] {
  const candidates = listAt(media, 'image_versions2', 'candidates');
  const whole =
    size({ width: at(media, 'original_width'), height: at(media, 'original_height') }) ?? size(candidates[0]);
  const area = (candidate: unknown) => {
    const own = size(candidate);
    if (own === null || whole === null) return 0;
    const stretch = (own.width * whole.height) / (own.height * whole.width);
    return stretch > 0.97 && stretch < 1.03 ? own.width * own.height : 0;
  };
  const best = candidates
    .map((candidate) => ({ url: at(candidate, 'url'), area: area(candidate) }))
    .sort((a, b) => b.area - a.area);
  return [...best.map(({ url }) => url), at(media, 'display_uri')];
}
