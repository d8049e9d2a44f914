import { dayMs } from '../../../lib/runtime/clock.js';
import type { Series } from '../../lines/memory/history.js';
import { decimalText, growthText } from '../../output/number-text.js';

/** A number and its time, in milliseconds since 1970. */
export interface Measure {
  readonly at: number;
  readonly value: number;
}

/** Returns the numbers of a series by time; a clock set back may have mixed them. */
export function measuresOf({ points }: Pick<Series, 'points'>): readonly Measure[] {
  return points
    .flatMap(({ at, value }) => (typeof value === 'number' ? [{ at: Date.parse(at), value }] : []))
    .sort((one, other) => one.at - other.at);
}

/** Returns the value at a time; null before the first one. */
function valueAt(measures: readonly Measure[], time: number): number | null {
  return measures.findLast(({ at }) => at <= time)?.value ?? null;
}

/** Returns the growth in the period before the last value; null if the series is shorter. */
export function growth(measures: readonly Measure[], period: number): number | null {
  const last = measures.at(-1);
  if (last === undefined) return null;
  const before = valueAt(measures, last.at - period);
  return before === null ? null : last.value - before;
}

/** Returns the current value, and its growth in a day and in a week, as text; null if unknown. */
export function growthTexts(measures: readonly Measure[]) {
  const now = measures.at(-1)?.value;
  return {
    now: now === undefined ? null : decimalText(now),
    day: growthText(growth(measures, dayMs)),
    week: growthText(growth(measures, 7 * dayMs)),
  };
}

const bars = '▁▂▃▄▅▆▇█';

/** Draws a series in a number of characters; empty if it has a single value. */
export function sparkline(measures: readonly Measure[], width: number): string {
  const [first, last] = [measures[0], measures.at(-1)];
  if (first === undefined || last === undefined || first.at === last.at) return '';
  const step = (last.at - first.at) / (width - 1);
  const values = Array.from({ length: width }, (_, index) =>
    valueAt(measures, first.at + Math.round(index * step)),
  );
  const filledValues = values.map((value) => value ?? first.value);
  const [low, high] = [Math.min(...filledValues), Math.max(...filledValues)];
  if (low === high) return bars[0]?.repeat(width) ?? '';
  return filledValues
    .map((value) => bars[Math.round(((value - low) / (high - low)) * (bars.length - 1))])
    .join('');
}
