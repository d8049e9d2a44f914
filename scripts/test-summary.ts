/** A line of the reporter. */
export type TestEvent =
  | { readonly file: string }
  | { readonly skipped: 'test' | 'suite'; readonly reason: string }
  | { readonly failed: string; readonly message: readonly string[] }
  | { readonly counts: { readonly passed: number; readonly failed: number; readonly cancelled: number } };

export interface TestRun {
  readonly events: readonly TestEvent[];
  /** Number of files that ran. */
  readonly files: number;
  /** Number of files that other commands run. */
  readonly leftOut: number;
  readonly seconds: number;
}

const several = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How many of the files are over, and how long the rest may take at their pace. */
export function progressOf({
  done,
  files,
  seconds,
}: {
  done: number;
  files: number;
  seconds: number;
}): string {
  const told = `${done} of ${several(files, 'file')}`;
  return done === 0 ? told : `${told}, ${Math.ceil((seconds / done) * (files - done))} s left`;
}

/**
 * The lines after a run. What failed stands last: a long output is often shown from its end alone. A skipped suite counts
 * once: the runner does not look at the tests in it. A run in which no test passed is no good one.
 */
export function summaryOf({ events, files, leftOut, seconds }: TestRun): { text: string; isGood: boolean } {
  const skipped = events.flatMap((event) => ('skipped' in event ? [event] : []));
  const reasons = [...new Set(skipped.map(({ reason }) => reason))].map((reason) => {
    const all = skipped.filter((event) => event.reason === reason);
    const suites = all.filter((event) => event.skipped === 'suite').length;
    const tests = all.length - suites;
    const parts = [tests > 0 && several(tests, 'test'), suites > 0 && several(suites, 'suite')];
    return `  ${parts.filter((part) => part !== false).join(' and ')}: ${reason}`;
  });
  const failures = events.flatMap((event) =>
    'failed' in event ? [`  ${event.failed}`, ...event.message.map((line) => `    ${line}`)] : [],
  );
  const total = (name: 'passed' | 'failed' | 'cancelled') =>
    events.reduce((sum, event) => sum + ('counts' in event ? event.counts[name] : 0), 0);
  const [passed, failed] = [total('passed'), total('failed') + total('cancelled')];
  const text = [
    `${several(files, 'file')} in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`,
    ...(leftOut > 0 ? [`${several(leftOut, 'file')} left for npm run test:full and npm run nightly`] : []),
    ...(reasons.length > 0 ? ['Skipped:', ...reasons] : []),
    ...(failures.length > 0 ? ['Failed:', ...failures] : []),
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  ].join('\n');
  return { text, isGood: passed > 0 && failed === 0 };
}
