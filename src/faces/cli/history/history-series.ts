import type { Endpoint } from '../../../../lib/endpoint.js';
import { growth, measuresOf, sparkline } from '../../../files/history/growth.js';
import type { History, HistorySubject, Series } from '../../../files/history/history.js';
import { mainField } from '../../../files/history/main-field.js';

/** The series to show, each with the name of what it is of. */
export type NamedSeries = Series & { readonly name: string };

export interface SeriesChoice {
  readonly subjects: readonly HistorySubject[];
  readonly field: string | undefined;
  readonly since: number | undefined;
}

/**
 * The series of subjects: of a field where one is named. Else an object's is the number that people follow it by, and a
 * list's is how many items it has.
 */
export async function chooseSeries(
  history: History,
  scope: string,
  endpoints: readonly Endpoint[],
  { subjects, field, since }: SeriesChoice,
): Promise<readonly NamedSeries[]> {
  const found: Series[] = [];
  for (const path of new Set(subjects.map(({ endpoint }) => endpoint))) {
    const endpoint = endpoints.find((one) => one.path === path);
    const numbers = subjects.filter((one) => one.endpoint === path).map((one) => one.number);
    const named = field ?? (endpoint === undefined || endpoint.many ? null : mainField(endpoint));
    found.push(
      ...(named === null
        ? await history.sizes(scope, { subjects: numbers, since })
        : await history.series(scope, { subjects: numbers, field: named, since })),
    );
  }
  const isMany = (path: string) => endpoints.find((one) => one.path === path)?.many !== false;
  return found.map((series) => {
    const { subject, endpoint, id } = series;
    return { ...series, name: isMany(endpoint) && id !== '' ? `${subject} ${id}` : subject };
  });
}

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
