/** The end of a result line that names the items which are no longer in its list; empty where none is missing. */
export const removedEnd = (removed: readonly string[] | undefined): string =>
  removed === undefined || removed.length === 0 ? '' : `,"removed":${JSON.stringify(removed)}`;
