import { refusal } from '../../errors/outcomes.js';
import { countOrNull } from '../../read/convert.js';
import type { EmptyProof } from '../../read/empty-proof.js';
import { at, listAt } from '../../read/json.js';

/**
 * The platform's historical data formats. L: `edge_…` (2017; today on embed pages). X: L under `xdt_…` with renamed
 * types (2024). V1: the app's items (2012; as `xdt_api__v1__…` 2024). P: `xig_…` for logged-out visitors (mid-2026,
 * current).
 */
export type Shape = 'L' | 'X' | 'V1' | 'P';

export interface RawList<Item> {
  readonly shape: Shape;
  readonly items: readonly Item[];
  /** The platform's own cursor for the next source page. */
  readonly after: unknown;
  readonly more: unknown;
  /** The total count, if the source has it. */
  readonly total: unknown;
}

/** The facts that would prove a list empty: its count, or that nothing follows an existing list. */
export const emptyProofOf = ({ total, more }: RawList<unknown>): EmptyProof => ({
  total: countOrNull(total),
  end: more === false,
});

/** Returns the value of a key that every object of a shape has; `unsaid` if it is missing. */
export const saidOf = (object: unknown, key: string): unknown => {
  const flag = at(object, key);
  return flag === undefined ? 'unsaid' : flag;
};

/** Returns the objects of a connection: `{edges: [{node}]}`. A null row is empty; one without `node` has changed. */
export const nodesOf = (connection: unknown): unknown[] =>
  listAt(connection, 'edges').flatMap((edge) => {
    const node = edge === null ? null : at(edge, 'node');
    if (node === undefined) throw refusal('unknown_layout', 'A row of the list lacks its item.');
    return node === null ? [] : [node];
  });

/**
 * Reads a connection, `{page_info, edges}`, and its nodes. Connections of the older shapes may be a count only. Throws
 * `platform_changed` if its items are not a list, because continuing with its next part would leave a gap.
 */
export function connectionOf<Item>(
  shape: Shape,
  connection: unknown,
  items: readonly Item[],
  total: unknown,
): RawList<Item> {
  const edges = at(connection, 'edges');
  if (!Array.isArray(edges) && (edges !== undefined || shape === 'P')) {
    throw refusal('unknown_layout', 'The platform’s answer lacks the list.');
  }
  // Rows without posts do not prove that nothing follows.
  const isRead = Array.isArray(edges) && (edges.length === 0 || items.length > 0);
  return {
    shape,
    items,
    after: at(connection, 'page_info', 'end_cursor'),
    more: isRead ? at(connection, 'page_info', 'has_next_page') : undefined,
    total,
  };
}
