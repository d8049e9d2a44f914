import { stringify } from 'csv-stringify/sync';
import { csvOptions } from '../../output/csv-cells.js';
import type { GridReport, RankedPoint } from './ranks.js';

const columns = [
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
];

const cellsOf = ({ row, column, lat, lng, rank, results, first, error }: RankedPoint) => [
  ...[row, column, lat, lng, rank, results],
  ...[0, 1, 2].flatMap((at) => [first[at]?.name, first[at]?.place_id]),
  error,
];

/** A line a point. */
export function gridCsv({ points }: GridReport): string {
  return stringify([columns, ...points.map(cellsOf)], csvOptions({}));
}

/** A grid as GeoJSON: a feature a point, with what all of them come to beside them. */
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
