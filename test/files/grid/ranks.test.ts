import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MapsPlace } from '../../../lib/platforms/maps/objects.js';
import { distance } from '../../../lib/platforms/maps/point.js';
import { gridCsv, gridGeoJson } from '../../../src/files/grid/grid-tables.js';
import { gridPoints } from '../../../src/files/grid/points.js';
import { type PointAnswer, rankGrid } from '../../../src/files/grid/ranks.js';

const place = (id: string): MapsPlace =>
  ({ place_id: id, name: `=${id}`, location: null, rating: null, user_ratings_total: null }) as MapsPlace;
const page = (...ids: readonly string[]): PointAnswer => ({
  places: ids.map(place),
  error: null,
  fetchedAt: '2026-11-23T10:00:00.000Z',
});
const failed: PointAnswer = { places: null, error: 'platform_timeout', fetchedAt: null };
const subject = { place_id: 'own', name: 'Own', location: null, rating: null, user_ratings_total: null };

describe('the points of a grid', () => {
  test('are at equal distances around the middle, north-west first', () => {
    for (const center of [
      { lat: 47.07, lng: 15.43 },
      { lat: -36.8, lng: 179.999 },
    ]) {
      const points = gridPoints({ center, size: 3, spacing: 500 });
      assert.equal(points.length, 9);
      assert.deepEqual([points[4]?.lat, points[4]?.lng], [center.lat, center.lng]);
      for (const [one, other] of [
        [0, 1],
        [4, 5],
        [0, 3],
        [5, 8],
      ] as const) {
        const metres = distance(points[one] ?? center, points[other] ?? center);
        assert.ok(Math.abs(metres - 500) < 2, String(metres));
      }
      assert.ok((points[0]?.lat ?? 0) > center.lat);
      for (const { lng } of points) assert.ok(Math.abs(lng) <= 180);
    }
  });
});

describe('the ranks of a grid', () => {
  const points = gridPoints({ center: { lat: 47, lng: 15 }, size: 2, spacing: 500 });
  const pages = [page('own', 'a'), page('a', 'b', 'c', 'own'), page('b', 'a'), failed];
  const report = rankGrid(subject, points, pages);

  test('are one per point: not listed and not answered are different, and neither is a rank', () => {
    const rows = report.points.map(({ rank, results, error }) => [rank, results, error]);
    assert.deepEqual(rows, [
      [1, 2, null],
      [4, 4, null],
      [null, 2, null],
      [null, null, 'platform_timeout'],
    ]);
  });

  test('are summed up as a top-three share and an average, over answered points', () => {
    const { place: ownRank, competitors, answered } = report;
    assert.equal(answered, 3);
    assert.deepEqual([ownRank.points, ownRank.top3_share, ownRank.average_rank], [2, 1 / 3, 2.5]);
    const rows = competitors.map((one) => [one.place_id, one.points, one.top3_share, one.average_rank]);
    assert.deepEqual(rows, [
      ['a', 3, 1, 5 / 3],
      ['b', 2, 2 / 3, 1.5],
      ['c', 1, 1 / 3, 3],
    ]);
    const none = rankGrid(subject, points, [failed, failed, failed, failed]);
    assert.deepEqual([none.place.top3_share, none.place.average_rank, none.from], [null, null, null]);
  });

  test('are lines of CSV, without formulas, and features of GeoJSON', () => {
    const run = { run: 'batch_1', query: 'dentist' };
    const table = gridCsv(report, run);
    const [head = '', first, , third, fourth] = table.trimEnd().split('\n');
    const columns =
      'date,query,place_id,place_name,row,column,lat,lng,rank,results,first_name,first_place_id,';
    assert.ok(head.startsWith(columns), head);
    assert.match(first ?? '', /^2026-\d\d-\d\d,dentist,own,Own,1,.*,1,2,'=own,own,'=a,a,,,,batch_1$/);
    assert.match(third ?? '', /,,2,'=b,b,/);
    assert.match(fourth ?? '', /,,,,,,,,,platform_timeout,batch_1$/);
    // A table that it is added to keeps the rows of others as they are, and has its own once.
    const both = gridCsv(report, { ...run, run: 'batch_2' }, table);
    assert.equal(both, `${table}${table.replace(/^.*\n/, '').replaceAll('batch_1', 'batch_2')}`);
    assert.equal(gridCsv(report, { ...run, run: 'batch_2' }, both), both);
    assert.throws(() => gridCsv(report, run, 'name,rank\na,1\n'), { code: 'invalid_parameter' });
    const { features, summary } = JSON.parse(gridGeoJson(report, { query: 'dentist' }));
    assert.deepEqual(features[0].geometry, { type: 'Point', coordinates: [points[0]?.lng, points[0]?.lat] });
    assert.deepEqual([features[2].properties.rank, summary.query, summary.answered], [null, 'dentist', 3]);
  });
});
