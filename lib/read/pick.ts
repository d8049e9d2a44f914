import { type Step, valueAt } from './json.js';

/** A path into a tree. */
export type Path = readonly Step[];

/** The value at the first of some paths that converts, or null: for a fact that a page holds in several places. */
export function pick<T>(
  tree: unknown,
  paths: readonly Path[],
  convert: (value: unknown) => T | null,
): T | null {
  for (const path of paths) {
    const value = convert(valueAt(tree, path));
    if (value !== null) return value;
  }
  return null;
}
