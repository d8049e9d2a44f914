import type { OutputStream } from '../context.js';
import { type BatchProgress, type ProgressDisplay, rateOf, secondsLeft } from './progress.js';

/** Milliseconds between two lines. */
const interval = 1000;

/** Formats progress as JSON. */
export function progressLine(event: 'progress' | 'end', progress: BatchProgress): string {
  const { totals, rest, size, total, visits, stopping } = progress;
  return `${JSON.stringify({
    event,
    inputs: totals.inputs,
    total: total ?? null,
    ok: totals.ok,
    without_news: totals.withoutNews,
    parts: totals.parts,
    ignored: totals.ignored,
    rounded: totals.rounded,
    failed: totals.failed,
    credits_spent: totals.charged,
    credits_given_back: totals.givenBack,
    inputs_per_second: Math.round(rateOf(progress) * 10) / 10,
    bytes_read: totals.read,
    bytes: size ?? null,
    seconds_left: event === 'end' ? 0 : (secondsLeft(progress) ?? null),
    refusal: rest === undefined ? null : { code: rest.error.code, until: new Date(rest.until).toISOString() },
    browser_visits: { open: visits.open, begun: visits.started },
    stopping,
  })}\n`;
}

/** Writes a line each second, and one at the end. */
export function jsonlProgress(sink: OutputStream, progress: () => BatchProgress): ProgressDisplay {
  const timer = setInterval(() => {
    sink.write(progressLine('progress', progress())).catch(() => undefined);
  }, interval);
  return {
    async end() {
      clearInterval(timer);
      await sink.write(progressLine('end', progress()));
    },
  };
}
