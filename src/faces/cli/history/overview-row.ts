import type { NamedSeries } from '../../../files/history/choose-series.js';
import { growth, measuresOf, sparkline } from '../../../files/history/growth.js';

const day = 86_400_000;
const sparkWidth = 16;

const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

function grown(value: number | null): string | null {
  if (value === null) return null;
  return value > 0 ? `+${number(value)}` : number(value);
}

/** A series as a row of the table: what it is now, how it grew, and its course. */
export function overviewRow(series: NamedSeries) {
  const measures = measuresOf(series);
  const now = measures.at(-1)?.value;
  return {
    name: series.name,
    now: now === undefined ? null : number(now),
    day: grown(growth(measures, day)),
    week: grown(growth(measures, 7 * day)),
    trend: sparkline(measures, sparkWidth) || null,
    field: series.field,
    since: series.points[0]?.at ?? null,
  };
}
