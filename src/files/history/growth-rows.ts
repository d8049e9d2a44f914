import * as z from 'zod';
import { dayMs } from '../../../lib/runtime/clock.js';
import type { HistorySubject } from '../../lines/memory/history.js';
import { ownHeading } from '../result-files/result-headings.js';
import type { NamedSeries } from './choose-series.js';
import { growth, measuresOf } from './growth.js';

const ownNames = (subjects: readonly HistorySubject[]) => [
  ...new Set(subjects.flatMap(({ own = {} }) => Object.keys(own))),
];

const count = z.number().nullable();
const measures = z.strictObject({
  ...{ endpoint: z.string(), field: z.string() },
  ...{ first: count, now: count, growth: count, day: count, week: count },
  since: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  url: z.string().nullable(),
});
const columns = z.strictObject({ name: z.string(), ...measures.shape });

const headingOf = (name: string) => ownHeading({ params: {}, returns: columns }, name);

export function growthSchema(subjects: readonly HistorySubject[]) {
  const ownColumns = Object.fromEntries(ownNames(subjects).map((name) => [headingOf(name), z.unknown()]));
  return z.strictObject({ name: z.string(), ...ownColumns, ...measures.shape });
}

/**
 * Converts series to rows of the table: the first and the last value, and the growth in total, in a day and in a week.
 */
export function growthRows(series: readonly NamedSeries[], subjects: readonly HistorySubject[]) {
  const names = ownNames(subjects);
  return series.map((one) => {
    const measured = measuresOf(one);
    const [first, now] = [measured[0]?.value ?? null, measured.at(-1)?.value ?? null];
    const subject = subjects.find(
      ({ endpoint, label }) => endpoint === one.endpoint && label === one.subject,
    );
    const ownValues = Object.fromEntries(
      names.map((name) => [headingOf(name), subject?.own?.[name] ?? null]),
    );
    return {
      name: one.name,
      ...ownValues,
      ...{ endpoint: one.endpoint, field: one.field, first, now },
      growth: first === null || now === null ? null : now - first,
      ...{ day: growth(measured, dayMs), week: growth(measured, 7 * dayMs) },
      ...{ since: one.points[0]?.at ?? null, until: one.points.at(-1)?.at ?? null, url: one.url },
    };
  });
}
