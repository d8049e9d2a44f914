/** A value created on first use and then stored. After a failure the next caller tries again. */
export interface Once<T> {
  get(): Promise<T>;
  /** Releases the value and returns it if it exists or is being created. A later `get` creates another. */
  take(): Promise<T> | undefined;
}

/** Creates a value once for all concurrent callers. */
export function makeOnce<T>(make: () => Promise<T>): Once<T> {
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
      const current = promise;
      promise = undefined;
      return current;
    },
  };
}
