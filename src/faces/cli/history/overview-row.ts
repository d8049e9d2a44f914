import type { NamedSeries } from '../../../files/history/choose-series.js';
import { growthTexts, measuresOf, sparkline } from '../../../files/history/growth.js';

const sparkWidth = 16;

/** Converts a series to a table row: current value, growth, and sparkline. */
export function overviewRow(series: NamedSeries) {
  const measures = measuresOf(series);
  return {
    name: series.name,
    ...growthTexts(measures),
    trend: sparkline(measures, sparkWidth) || null,
    field: series.field,
    since: series.points[0]?.at ?? null,
  };
}
