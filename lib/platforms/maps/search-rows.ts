import { ExtractError } from '../../errors/extract-error.js';
import { textOrNull } from '../../read/convert.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { anywhere, listAt, valueAt } from '../../read/json.js';
import { featureId } from './ids.js';
import { featureIdOfNode } from './listing.js';
import { namesPlace } from './names-place.js';
import { place, searchQuery, searchRows } from './paths.js';
import { isSameQuery } from './same-query.js';

/** Headers and suggestions between the places have neither an id nor a name. */
const marks = [...place.name, ...place.featureId];
const isPlace = (node: unknown) => marks.some((path) => typeof valueAt(node, path) === 'string');

/** The places of a search, and the proof if there are none. */
export interface SearchRows {
  /** Each place once. */
  readonly nodes: readonly unknown[];
  /** Rows that may contain a place, including null rows. */
  readonly length: number;
  /** How many of them are null. */
  readonly lost: number;
  readonly emptyProof: EmptyProof;
}

/** An empty row: its place is not shown. */
const isBlank = (row: unknown) => !anywhere(row, (value) => value !== null && typeof value !== 'object');

type Rows = (typeof searchRows)[number];

const isSponsored = (row: unknown, { sponsored }: Rows) =>
  sponsored !== null && Array.isArray(valueAt(row, sponsored));

/**
 * True if a row without a place node mentions a place nevertheless: the place has moved within it, is empty, or has no
 * node in the current list, whose rows all have one. Sponsored rows and a station's departures may mention places.
 */
function hidesPlace(row: unknown, rows: Rows, placeIds: ReadonlySet<string>): boolean {
  const node = valueAt(row, rows.node);
  if (row === null || isPlace(node) || isSponsored(row, rows)) return false;
  const departures = rows.departures === null ? null : valueAt(row, rows.departures);
  if ((node ?? null) === null && anywhere(departures, (value) => placeIds.has(featureId(value) ?? '')))
    return false;
  return isBlank(row) || namesPlace(row) || (rows.sponsored !== null && !Array.isArray(node));
}

/** True if no row of a list could be a place: only sponsored ones, or the older list's header. */
function isBare(root: unknown, rows: Rows): boolean {
  if ((valueAt(root, rows.list) ?? null) !== null && !Array.isArray(valueAt(root, rows.list))) return false;
  const isNone = (row: unknown) =>
    rows.sponsored === null
      ? !isBlank(row) && !Array.isArray(valueAt(row, rows.node))
      : isSponsored(row, rows);
  return listAt(root, ...rows.list).every(isNone);
}

function once(nodes: readonly unknown[]): readonly unknown[] {
  const seenIds = new Set<string | null>();
  return nodes.filter((node) => {
    const id = featureIdOfNode(node);
    if (id !== null && seenIds.has(id)) return false;
    seenIds.add(id);
    return true;
  });
}

/**
 * Returns the place nodes of a search, in order. There are none if the response mentions no place anywhere. The header
 * proves nothing: it kept its index when the rows moved (2025). Throws `platform_changed` for a row that hides its
 * place, or is empty.
 */
export function searchNodes(root: readonly unknown[], query: string): SearchRows {
  const echo = textOrNull(valueAt(root, searchQuery));
  if (echo !== null && !isSameQuery(query, echo)) {
    throw new ExtractError('platform_changed', `The answer is to “${echo}”, not to “${query}”.`);
  }

  for (const rows of searchRows) {
    const list = listAt(root, ...rows.list);
    const all = list.map((row) => valueAt(row, rows.node)).filter(isPlace);
    if (all.length === 0) continue;
    const nodes = once(all);
    const placeIds = new Set(nodes.flatMap((node) => featureIdOfNode(node) ?? []));
    if (list.some((row) => hidesPlace(row, rows, placeIds))) {
      throw new ExtractError(
        'platform_changed',
        'The answer came with rows in which the place has moved, or is missing.',
      );
    }
    const nullRows = list.filter((row) => row === null).length;
    return { nodes, length: all.length + nullRows, lost: nullRows, emptyProof: {} };
  }
  const hasList = searchRows.some(({ list }) => Array.isArray(valueAt(root, list)));
  const isEmpty = searchRows.every((rows) => isBare(root, rows));
  return { nodes: [], length: 0, lost: 0, emptyProof: { none: hasList && isEmpty && !namesPlace(root) } };
}
