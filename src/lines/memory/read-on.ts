/** Items that a platform lets people pin to the top of a list, at most. They are old, and say nothing of what follows. */
export const maxPinned = 3;

/** A page of a list that was just read. */
export interface PageOfUnseen {
  /** Items of the list on the pages before it. */
  readonly before: number;
  /** For each item, in order, whether no earlier run gave it. */
  readonly isNew: readonly boolean[];
}

/**
 * Whether the page after this one is to be read. With `all` reading goes on to the first page without news. Without it
 * the first run takes one page. Later ones read until they meet an item of an earlier run. The first items of a list
 * may be pinned: where they are known they stop nothing.
 */
export function readsOn(
  { before, isNew }: PageOfUnseen,
  { all, isKnown }: { readonly all: boolean; readonly isKnown: boolean },
): boolean {
  // A page of pinned items alone says nothing to later runs.
  if (!isKnown) return all || before + isNew.length <= maxPinned;
  const known = isNew.filter((one, index) => !one && before + index >= maxPinned).length;
  if (!all) return known === 0;
  return known === 0 || isNew.includes(true);
}
