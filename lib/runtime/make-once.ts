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
  let promise: Promise<T> | undefined;
  return {
    get() {
      if (promise !== undefined) return promise;
      const making = make();
      promise = making;
      making.catch(() => {
        if (promise === making) promise = undefined;
      });
      return making;
    },
    take() {
      const taken = promise;
      promise = undefined;
      return taken;
    },
  };
}
