/** Maximum number of pinned items at the top of a list. They are old, and say nothing about what follows. */
export const maxPinned = 3;

export interface PageOfUnseen {
  /** Items of the list on earlier pages. */
  readonly before: number;
  readonly isNew: readonly boolean[];
}

/**
 * Returns whether to read the next page. With `all`, reads to the first page without news. Otherwise the first run
 * takes one page, and later runs read until they reach an item of an earlier run. The first items may be pinned, so
 * known ones there stop nothing.
 */
export function readsOn(
  { before, isNew }: PageOfUnseen,
  { all, isKnown }: { readonly all: boolean; readonly isKnown: boolean },
): boolean {
  // A page of pinned items only says nothing to later runs.
  if (!isKnown) return all || before + isNew.length <= maxPinned;
  const oldCount = isNew.filter((one, index) => !one && before + index >= maxPinned).length;
  if (!all) return oldCount === 0;
  return oldCount === 0 || isNew.includes(true);
}
