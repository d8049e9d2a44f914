/** The work that results need before they are given on. */
export interface WorkAhead<Result> {
  readonly work: (result: Result) => Promise<'done' | 'interrupted'>;
  readonly atOnce: number;
  /**
   * What becomes of a result whose work was interrupted, and of those behind it: `end` gives none of them, for a later
   * run to take up; `give` gives them with their work undone.
   */
  readonly onInterrupt: 'end' | 'give';
  /** Receives each result that was taken and is not given. */
  readonly discard?: ((result: Result) => Promise<void>) | undefined;
}

interface Taken<Result> {
  readonly result: Result;
  readonly outcome: Promise<'done' | 'interrupted'>;
}

/** Does work on results before they are given on, on several at once and in their order. */
export async function* workAhead<Result>(
  results: AsyncGenerator<Result, void, undefined>,
  { work, atOnce, onInterrupt, discard }: WorkAhead<Result>,
): AsyncGenerator<Result, void, undefined> {
  const next = async (): Promise<Taken<Result> | null> => {
    const taken = await results.next();
    if (taken.done === true) return null;
    const outcome = work(taken.value);
    // Awaited below, in its turn.
    outcome.catch(() => undefined);
    return { result: taken.value, outcome };
  };
  const queue: Promise<Taken<Result> | null>[] = [];
  try {
    for (;;) {
      while (queue.length < atOnce) {
        const begun = next();
        begun.catch(() => undefined);
        queue.push(begun);
      }
      const first = await queue[0];
      if (first === null || first === undefined) return;
      if ((await first.outcome) === 'interrupted' && onInterrupt === 'end') return;
      queue.shift();
      yield first.result;
    }
  } finally {
    const ended = results.return();
    for (const rest of await Promise.allSettled(queue)) {
      if (rest.status === 'rejected' || rest.value === null) continue;
      await Promise.allSettled([rest.value.outcome]);
      await discard?.(rest.value.result);
    }
    await Promise.allSettled([ended]);
  }
}
