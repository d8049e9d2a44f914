/** Readings that must lack an item of a list of several pages: it may have slipped from one page to another meanwhile. */
const witnesses = 2;

/** Whether an item counts as removed that so many readings to the end of its list lacked, one after the other. */
export const isRemovedAfter = (missing: number, pages: number): boolean =>
  missing >= (pages > 1 ? witnesses : 1);
