import type { Step } from '../../lib/read/json.js';

/** A list with values at paths of indexes, nothing elsewhere. It makes a place node, a row or a root for a test. */
export function sparse(...entries: readonly (readonly [path: readonly Step[], value: unknown])[]): unknown[] {
  const root: unknown[] = [];
  for (const [path, value] of entries) {
    let node = root;
    path.forEach((step, depth) => {
      const index = Number(step);
      while (node.length <= index) node.push(null);
      if (depth === path.length - 1) node[index] = value;
      else {
        node[index] ??= [];
        node = node[index] as unknown[];
      }
    });
  }
  return root;
}
