import { ExtractError } from '../../errors/extract-error.js';
import { listAt, valueAt } from '../../read/json.js';
import { place, searchRows } from './paths.js';

/** Headers and suggestions stand between the places; they have neither id nor name. */
const marks = [...place.name, ...place.featureId];
const isPlace = (node: unknown) => marks.some((path) => typeof valueAt(node, path) === 'string');

/**
 * Place nodes of a search, in order. A list without rows means that nothing was found. An answer without any list of
 * rows, or with rows that are no places, is not what it was.
 */
export function searchNodes(root: readonly unknown[]): readonly unknown[] {
  let strange = searchRows.every(({ list }) => !Array.isArray(valueAt(root, list)));
  for (const { list, node } of searchRows) {
    const nodes = listAt(root, ...list)
      .map((row) => valueAt(row, node))
      .filter((found) => Array.isArray(found));
    const places = nodes.filter(isPlace);
    if (places.length > 0) return places;
    strange ||= nodes.length > 0;
  }
  if (strange) throw new ExtractError('platform_changed', 'The answer came without a list of places.');
  return [];
}
