/**
 * Maximum number of items that a platform allows to be pinned to the top of a list. They are old, and say nothing about
 * what follows.
 */
export const maxPinned = 3;

/** A page of a list that was just read. */
export interface PageOfUnseen {
  /** Items of the list on earlier pages. */
  readonly before: number;
  /** For each item, in order, whether no earlier run returned it. */
  readonly isNew: readonly boolean[];
}

/**
 * Returns whether to read the next page. With `all`, reading continues to the first page without news. Without it, the
 * first run takes one page, and later ones read until they reach an item of an earlier run. The first items of a list
 * may be pinned, so known ones there stop nothing.
 */
export function readsOn(
  { before, isNew }: PageOfUnseen,
  { all, isKnown }: { readonly all: boolean; readonly isKnown: boolean },
): boolean {
  // A page of pinned items only says nothing to later runs.
  if (!isKnown) return all || before + isNew.length <= maxPinned;
  const known = isNew.filter((one, index) => !one && before + index >= maxPinned).length;
  if (!all) return known === 0;
  return known === 0 || isNew.includes(true);
}
