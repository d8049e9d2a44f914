/**
 * A line of the reporter: a test or suite that was skipped, one that failed, one without settings that passed, or the
 * counts of a process.
 */
export type TestEvent =
  | { readonly skipped: 'test' | 'suite'; readonly reason: string }
  | { readonly failed: string; readonly message: readonly string[] }
  | { readonly asItComes: string }
  | { readonly counts: { readonly passed: number; readonly failed: number; readonly cancelled: number } };

export interface TestRun {
  readonly events: readonly TestEvent[];
  /** Number of files that ran. */
  readonly files: number;
  /** Number of slow files that `--quick` leaves out. */
  readonly leftOut: number;
  readonly seconds: number;
}

/** How many there are of each text, the most frequent first. */
function countTexts(texts: readonly string[]): (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

const several = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * The lines after a run. What failed stands last: a long output is often shown from its end alone. A skipped suite counts
 * once: the runner does not look at the tests in it.
 */
export function summaryOf({ events, files, leftOut, seconds }: TestRun): string {
  const skipped = events.flatMap((event) => ('skipped' in event ? [event] : []));
  const counts = events.flatMap((event) => ('counts' in event ? [event.counts] : []));
  const reasons = countTexts(skipped.map(({ reason }) => reason)).map(([reason, all]) => {
    const suites = skipped.filter((event) => event.reason === reason && event.skipped === 'suite').length;
    const tests = all - suites;
    const parts = [tests > 0 && several(tests, 'test'), suites > 0 && several(suites, 'suite')];
    return `  ${parts.filter((part) => part !== false).join(' and ')}: ${reason}`;
  });
  const failures = events.flatMap((event) =>
    'failed' in event ? [`  ${event.failed}`, ...event.message.map((line) => `    ${line}`)] : [],
  );
  const unset = events.filter((event) => 'asItComes' in event).length;
  const total = (name: 'passed' | 'failed' | 'cancelled') =>
    counts.reduce((sum, count) => sum + count[name], 0);
  return [
    '',
    `${several(files, 'file')} in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`,
    ...(leftOut > 0 ? [`Left out by --quick: ${several(leftOut, 'file')}`] : []),
    ...(unset > 0 ? [`With every setting as it comes: ${several(unset, 'test')}`] : []),
    ...(reasons.length > 0 ? ['Skipped:', ...reasons] : []),
    ...(failures.length > 0 ? ['Failed:', ...failures] : []),
    `${total('passed')} passed, ${total('failed') + total('cancelled')} failed, ${skipped.length} skipped`,
  ].join('\n');
}
