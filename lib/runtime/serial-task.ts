/**
 * Returns a function that runs a task, one run at a time. Calls during a run share one further run, which starts after
 * it, so that every caller gets a run that started after its call.
 */
export function serialTask(task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    const run = task().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  };
  return () => {
    if (current === undefined) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}
