/**
 * Does work on results before they are given on, on several at once and in their order. Ends where work says that it was
 * interrupted: that result and those behind it are not given.
 */
export async function* workAhead<Result>(
  results: AsyncGenerator<Result, void, undefined>,
  work: (result: Result) => Promise<'done' | 'interrupted'>,
  atOnce: number,
): AsyncGenerator<Result, void, undefined> {
  const next = async (): Promise<Result | null> => {
    const taken = await results.next();
    if (taken.done === true) return null;
    return (await work(taken.value)) === 'done' ? taken.value : null;
  };
  const queue: Promise<Result | null>[] = [];
  try {
    for (;;) {
      while (queue.length < atOnce) {
        const begun = next();
        // Awaited below, in its turn.
        begun.catch(() => undefined);
        queue.push(begun);
      }
      const result = await queue.shift();
      if (result === null || result === undefined) return;
      yield result;
    }
  } finally {
    await Promise.allSettled([results.return(), ...queue]);
  }
}
