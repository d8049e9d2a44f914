import path from 'node:path';

/** A line of the reporter. */
export type TestEvent =
  | { readonly file: string; readonly at: number }
  | { readonly skipped: 'test' | 'suite'; readonly reason: string }
  | { readonly failed: string; readonly message: readonly string[] }
  | {
      readonly counts: { readonly passed: number; readonly failed: number; readonly cancelled: number };
      /** When the process ended; missing for a process that was lost. */
      readonly at?: number;
    };

export interface TestRun {
  /** The events of each process. */
  readonly processes: readonly (readonly TestEvent[])[];
  readonly files: number;
  readonly leftOut: number;
  readonly seconds: number;
}

const several = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the files whose tests took the longest, in a run of many. */
function longest(processes: TestRun['processes'], count: number): readonly string[] {
  const took = processes.flatMap((events) => {
    const timedEvents = events.flatMap((event) => ('at' in event && event.at !== undefined ? [event] : []));
    return timedEvents.flatMap((event, index) => {
      const end = timedEvents[index + 1]?.at;
      const seconds = end === undefined ? 0 : Math.round((end - (event.at ?? end)) / 1000);
      return 'file' in event ? [{ file: path.relative('.', event.file), seconds }] : [];
    });
  });
  return took
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `  ${seconds} s ${file}`);
}

/** Returns how many of the files are finished, and how long the rest may take at this pace. */
export function progressOf({
  done,
  files,
  seconds,
}: {
  done: number;
  files: number;
  seconds: number;
}): string {
  const progress = `${done} of ${several(files, 'file')}`;
  return done === 0 ? progress : `${progress}, ${Math.ceil((seconds / done) * (files - done))} s left`;
}

/**
 * Returns the lines after a run. Failures come last, because often only the end of a long output is shown. A skipped
 * suite counts once, because the runner does not look at its tests. A run in which no test passed is a failure.
 */
export function summaryOf({ processes, files, leftOut, seconds }: TestRun): {
  text: string;
  isGood: boolean;
} {
  const events = processes.flat();
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
    ...(files > 50 ? ['Longest:', ...longest(processes, 30)] : []),
    ...(reasons.length > 0 ? ['Skipped:', ...reasons] : []),
    ...(failures.length > 0 ? ['Failed:', ...failures] : []),
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  ].join('\n');
  return { text, isGood: passed > 0 && failed === 0 };
}
