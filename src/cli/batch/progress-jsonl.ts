import type { OutputStream } from '../context.js';
import { type BatchProgress, type ProgressDisplay, rateOf, secondsLeft } from './progress.js';

/** Milliseconds between two lines. */
const interval = 1000;

/** A moment as a line for a machine. */
export function progressLine(event: 'progress' | 'end', moment: BatchProgress): string {
  const { totals, rest, size, stopping } = moment;
  return `${JSON.stringify({
    event,
    inputs: totals.inputs,
    ok: totals.ok,
    failed: totals.failed,
    credits_spent: totals.charged,
    credits_given_back: totals.givenBack,
    inputs_per_second: Math.round(rateOf(moment) * 10) / 10,
    bytes_read: totals.read,
    bytes: size ?? null,
    seconds_left: event === 'end' ? 0 : (secondsLeft(moment) ?? null),
    refusal: rest === undefined ? null : { code: rest.error.code, until: new Date(rest.until).toISOString() },
    stopping,
  })}\n`;
}

/** Tells a line a second, and one at the end. */
export function jsonlProgress(sink: OutputStream, moment: () => BatchProgress): ProgressDisplay {
  const timer = setInterval(() => {
    sink.write(progressLine('progress', moment())).catch(() => undefined);
  }, interval);
  return {
    async end() {
      clearInterval(timer);
      await sink.write(progressLine('end', moment()));
    },
  };
}
