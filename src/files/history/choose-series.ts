import type { Endpoint } from '../../../lib/endpoint.js';
import type { HistoryReader, HistorySubject, Series } from '../../lines/memory/history.js';
import { mainField } from './main-field.js';

export type NamedSeries = Series & { readonly name: string };

/** Returns the subjects with a name: in full, or the word that identifies them. */
export const subjectsNamed = (all: readonly HistorySubject[], text: string): readonly HistorySubject[] =>
  all.filter(({ label }) => label === text || label.startsWith(`${text} `));

export interface SeriesChoice {
  readonly subjects: readonly HistorySubject[];
  readonly field: string | undefined;
  readonly since: number | undefined;
}

/**
 * Returns the series of subjects for a field. The default is the main number of an object, and the length of a list.
 */
export async function chooseSeries(
  history: Pick<HistoryReader, 'series' | 'sizes'>,
  endpoints: readonly Endpoint[],
  { subjects, field, since }: SeriesChoice,
): Promise<readonly NamedSeries[]> {
  const list: Series[] = [];
  for (const path of new Set(subjects.map(({ endpoint }) => endpoint))) {
    const endpoint = endpoints.find((one) => one.path === path);
    const numbers = subjects.filter((one) => one.endpoint === path).map((one) => one.number);
    const fieldName = field ?? (endpoint === undefined || endpoint.many ? null : mainField(endpoint));
    list.push(
      ...(fieldName === null
        ? await history.sizes({ subjects: numbers, since })
        : await history.series({ subjects: numbers, field: fieldName, since })),
    );
  }
  const isMany = (path: string) => endpoints.find((one) => one.path === path)?.many !== false;
  return list.map((series) => {
    const { subject, endpoint, id } = series;
    return { ...series, name: isMany(endpoint) && id !== '' ? `${subject} ${id}` : subject };
  });
}
