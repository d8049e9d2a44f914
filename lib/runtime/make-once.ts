/**
 * Something that is made when it is first asked for, and kept. A failure is not kept: the next caller tries again.
 */
export interface MadeOnce<T> {
  get(): Promise<T>;
  /** Lets go of it and returns it, as far as it is there or under way. A later `get` makes another. */
  take(): Promise<T> | undefined;
}

/** Makes something once for all who ask, however many do at the same time. */
export function makeOnce<T>(make: () => Promise<T>): MadeOnce<T> {
  let made: Promise<T> | undefined;
  return {
    get() {
      if (made !== undefined) return made;
      const making = make();
      made = making;
      making.catch(() => {
        if (made === making) made = undefined;
      });
      return making;
    },
    take() {
      const taken = made;
      made = undefined;
      return taken;
    },
  };
}
