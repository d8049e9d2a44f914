import { ExtractError } from '../../errors/extract-error.js';
import { textOrNull } from '../../read/convert.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { anywhere, listAt, type Path, valueAt } from '../../read/json.js';
import { namesPlace } from './names-place.js';
import { place, searchQuery, searchRows } from './paths.js';
import { isSameQuery } from './same-query.js';

/** Headers and suggestions stand between the places; they have neither id nor name. */
const marks = [...place.name, ...place.featureId];
const isPlace = (node: unknown) => marks.some((path) => typeof valueAt(node, path) === 'string');

/** The places of a search, and what would prove that it found none. */
export interface SearchRows {
  readonly nodes: readonly unknown[];
  readonly emptyProof: EmptyProof;
}

/** Whether a row says nothing at all: its place is not shown. */
const isBlank = (row: unknown) => !anywhere(row, (value) => value !== null && typeof value !== 'object');

/**
 * Whether a row without a place still names one, as the place has moved within it, or is blank. Sponsored rows name
 * places by right.
 */
const hidesPlace = (row: unknown, node: Path, sponsored: Path | null) =>
  !isPlace(valueAt(row, node)) &&
  !(sponsored !== null && Array.isArray(valueAt(row, sponsored))) &&
  (isBlank(row) || namesPlace(row));

/**
 * Place nodes of a search, in order. Nothing was found where no place is named anywhere in the answer. The header is no
 * proof: it stayed where it was when the rows moved (2025). Throws `platform_changed` for a row that hides its place, or
 * is blank.
 */
export function searchNodes(root: readonly unknown[], query: string): SearchRows {
  const echo = textOrNull(valueAt(root, searchQuery));
  if (echo !== null && !isSameQuery(query, echo)) {
    throw new ExtractError('platform_changed', `The answer is to “${echo}”, not to “${query}”.`);
  }

  for (const { list, node, sponsored } of searchRows) {
    const rows = listAt(root, ...list);
    const nodes = rows.map((row) => valueAt(row, node)).filter(isPlace);
    if (nodes.length === 0) continue;
    if (rows.some((row) => hidesPlace(row, node, sponsored))) {
      throw new ExtractError(
        'platform_changed',
        'The answer came with rows in which the place has moved, or is missing.',
      );
    }
    return { nodes, emptyProof: {} };
  }
  const lists = searchRows.filter(({ list }) => Array.isArray(valueAt(root, list)));
  const isBare = lists.every(({ list, node }) =>
    listAt(root, ...list).every((row) => !Array.isArray(valueAt(row, node)) && !isBlank(row)),
  );
  return { nodes: [], emptyProof: { none: lists.length > 0 && isBare && !namesPlace(root) } };
}
