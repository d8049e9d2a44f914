import { nearestWords, suggestion } from '../../../../lib/runtime/nearest-words.js';
import { subjectsNamed } from '../../../files/history/choose-series.js';
import type { HistorySubject } from '../../../lines/memory/history.js';
import { UsageError } from '../usage-error.js';
import { utcMoment } from '../utc-time.js';

/** Returns the subjects with a name; all of them without one. Throws a usage error for an unknown name. */
export function subjectsOf(
  all: readonly HistorySubject[],
  text: string | undefined,
): readonly HistorySubject[] {
  if (text === undefined) return all;
  const matches = subjectsNamed(all, text);
  if (matches.length > 0) return matches;
  const labels = [...new Set(all.map(({ label }) => label))];
  const some = labels.slice(0, 10).join(', ');
  throw new UsageError(
    'invalid_parameter',
    `The history has nothing about ${JSON.stringify(text.slice(0, 80))}.`,
    suggestion(nearestWords(text, labels)) || (some === '' ? 'It is empty.' : `It contains ${some}.`),
  );
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a day, a time, or an age (`36h`, `7d`, `4w`) to milliseconds since 1970. Throws a usage error. */
export function timeOf(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (unit !== undefined) return now - Number(count) * (units[unit] ?? 0);
  const time = utcMoment(text);
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    'invalid_parameter',
    `--since ${text.slice(0, 40)}: it must be a day (2026-11-01), a time (2026-11-01T06:00:00Z), or an age: 36h, 7d, 4w.`,
  );
}
