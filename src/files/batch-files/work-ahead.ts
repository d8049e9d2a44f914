export interface WorkAhead<Result> {
  readonly work: (result: Result) => Promise<'done' | 'interrupted'>;
  readonly atOnce: number;
  /**
   * What to do with an interrupted result and those after it: `end` drops them for a later run to resume; `give` passes
   * them on unprocessed.
   */
  readonly onInterrupt: 'end' | 'give';
  /** Called for each started result that is not passed on. */
  readonly discard?: ((result: Result) => Promise<void>) | undefined;
}

interface TakenResult<Result> {
  readonly result: Result;
  readonly outcome: Promise<'done' | 'interrupted'>;
}

/** Processes results several at a time, and passes them on in order. */
export async function* workAhead<Result>(
  results: AsyncGenerator<Result, void, undefined>,
  { work, atOnce, onInterrupt, discard }: WorkAhead<Result>,
): AsyncGenerator<Result, void, undefined> {
  const next = async (): Promise<TakenResult<Result> | null> => {
    const next = await results.next();
    if (next.done === true) return null;
    const outcome = work(next.value);
    outcome.catch(() => undefined);
    return { result: next.value, outcome };
  };
  const queue: Promise<TakenResult<Result> | null>[] = [];
  try {
    for (;;) {
      while (queue.length < atOnce) {
        const result = next();
        result.catch(() => undefined);
        queue.push(result);
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
