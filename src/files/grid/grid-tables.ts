import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import { csvOptions } from '../../output/csv-cells.js';
import type { GridReport, RankedPoint } from './ranks.js';

/** Identifies the rows of a run. */
export interface GridRun {
  readonly run: string;
  readonly query: string;
}

const columns = [
  'date',
  'query',
  'place_id',
  'place_name',
  'row',
  'column',
  'lat',
  'lng',
  'rank',
  'results',
  'first_name',
  'first_place_id',
  'second_name',
  'second_place_id',
  'third_name',
  'third_place_id',
  'error',
  'run',
];

const cellsOf = ({ row, column, lat, lng, rank, results, first, error }: RankedPoint) => [
  ...[row, column, lat, lng, rank, results],
  ...[0, 1, 2].flatMap((at) => [first[at]?.name, first[at]?.place_id]),
  error,
];

/** Returns the rows of other runs in a table. Throws `invalid_parameter` if the table is not a grid's. */
function rowsOfOthers(table: string, run: string): string {
  const [head = [], ...rows] = parse(table) as string[][];
  if (head.join() !== columns.join())
    throw invalidParameter(
      'The file for --append does not have the columns of a grid: write to another file.',
    );
  // They are already escaped.
  return stringify([head, ...rows.filter((row) => row.at(-1) !== run)], csvOptions({ raw: true }));
}

/** Formats one line per point, after the other runs in the table `before`. A repeated run replaces its own rows. */
export function gridCsv({ points, place, from }: GridReport, { run, query }: GridRun, before = ''): string {
  const head = before === '' ? stringify([columns], csvOptions({})) : rowsOfOthers(before, run);
  const about = [from?.slice(0, 10) ?? null, query, place.place_id, place.name];
  const rows = points.map((point) => [...about, ...cellsOf(point), run]);
  return `${head}${stringify(rows, csvOptions({}))}`;
}

/** Formats a grid as GeoJSON: a feature per point, with the totals. */
export function gridGeoJson(report: GridReport, about: Readonly<Record<string, unknown>>): string {
  const { points, place, competitors, answered, from, to } = report;
  const features = points.map(({ lat, lng, ...properties }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties,
  }));
  const summary = { ...about, answered, from, to, place, competitors };
  return `${JSON.stringify({ type: 'FeatureCollection', features, summary })}\n`;
}
