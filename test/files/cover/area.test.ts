import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseArea } from '../../../src/files/cover/area.js';

const polygon = (...rings: readonly unknown[]) => JSON.stringify({ type: 'Polygon', coordinates: rings });
/** A ring of points as text, such as `0,0 1,1`. */
const ring = (points: string) => points.split(' ').map((point) => point.split(',').map(Number));
const square = (from: number, to: number) =>
  ring(`${from},${from} ${to},${from} ${to},${to} ${from},${to} ${from},${from}`);

describe('the area of a GeoJSON text', () => {
  test('leaves holes out, and counts all polygons of a collection', () => {
    const holed = parseArea(polygon(square(0, 10), square(4, 6)));
    assert.deepEqual(holed.box, { west: 0, south: 0, east: 10, north: 10 });
    assert.equal(holed.contains({ lat: 2, lng: 2 }), true);
    assert.equal(holed.contains({ lat: 5, lng: 5 }), false);
    assert.equal(holed.touches({ west: 4.5, south: 4.5, east: 5.5, north: 5.5 }), false);
    const feature = (geometry: object) => ({ type: 'Feature', properties: {}, geometry });
    const many = feature({ type: 'MultiPolygon', coordinates: [[square(0, 1)]] });
    const features = [many, feature({ type: 'Polygon', coordinates: [square(5, 6)] })];
    const both = parseArea(JSON.stringify({ type: 'FeatureCollection', features }));
    const inside = [0.5, 3, 5.5].map((at) => both.contains({ lat: at, lng: at }));
    assert.deepEqual(inside, [true, false, true]);
  });

  test('touches a cell that it cuts, contains, or is inside of', () => {
    const { touches } = parseArea(polygon(square(0, 10)));
    const cell = (from: number, to: number) => ({ west: from, south: from, east: to, north: to });
    const touched = [cell(-5, 1), cell(4, 5), cell(-20, 20), cell(11, 12)].map(touches);
    assert.deepEqual(touched, [true, true, true, false]);
  });

  test('over the 180th meridian, cut there as GeoJSON has it, is one area', () => {
    const box = (west: number, east: number) => [
      ring(`${west},-17 ${east},-17 ${east},-16.9 ${west},-16.9 ${west},-17`),
    ];
    const coordinates = [box(179.95, 180), box(-180, -179.95)];
    const area = parseArea(JSON.stringify({ type: 'MultiPolygon', coordinates }));
    assert.deepEqual([area.box.west, area.box.east.toFixed(2)], [179.95, '180.05']);
    const contains = (lng: number) => area.contains({ lat: -16.95, lng });
    assert.deepEqual([179.97, -179.97, 179.9, -179.9, 0].map(contains), [true, true, false, false, false]);
    assert.ok(area.touches({ west: 180.01, south: -17, east: 180.02, north: -16.99 }));
  });

  test('is refused with a reason if the text is not a polygon', () => {
    for (const [text, says] of [
      ['no json', /not JSON/],
      ['[]', /not an object/],
      ['{"type":"Point","coordinates":[1,2]}', /"Point" is not a polygon/],
      [polygon(square(0, 10).slice(1)), /must end where it begins/],
      [polygon(ring('0,0 1,1 0,0')), /at least four/],
      [polygon(ring('0,95 1,1 2,2 0,95')), /not a longitude and latitude/],
      ['{"type":"FeatureCollection","features":[]}', /has no polygon/],
      [polygon(ring('0,0 0,0 0,0 0,0')), /no extent/],
    ] as const)
      assert.throws(() => parseArea(text), { code: 'invalid_parameter', message: says }, text);
  });
});
