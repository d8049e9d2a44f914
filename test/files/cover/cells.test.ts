import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { distance } from '../../../lib/platforms/maps/point.js';
import { boxArea } from '../../../src/files/cover/area.js';
import {
  type Box,
  boxAround,
  circleOf,
  gridOf,
  isInside,
  parseBox,
  parseLength,
  quartersOf,
} from '../../../src/files/cover/cells.js';
import { Cover } from '../../../src/files/cover/cover.js';
import { refusal } from '../../ledger/ledger-port.js';

const town = parseBox('23.70,37.95,23.76,38.00');

/** Boxes of up to 60 km, anywhere but at the poles. */
const boxes = fc
  .record({
    west: fc.double({ min: -180, max: 179.9, noNaN: true }),
    south: fc.double({ min: -80, max: 79.5, noNaN: true }),
    width: fc.double({ min: 0.002, max: 0.5, noNaN: true }),
    height: fc.double({ min: 0.002, max: 0.4, noNaN: true }),
  })
  .map(({ west, south, width, height }): Box => ({ west, south, east: west + width, north: south + height }));
const share = fc.double({ min: 0, max: 1, noNaN: true });

const pointOf = ({ west, south, east, north }: Box, x: number, y: number) => {
  const lng = west + (east - west) * x;
  return { lat: south + (north - south) * y, lng: lng > 180 ? lng - 360 : lng };
};

describe('the cells of an area', () => {
  test('around a place at the date line lie on both sides of it', () => {
    for (const lng of [-179.99, 179.99, -180, 180]) {
      const place = { lat: -16.8, lng };
      const box = boxAround(place, 5000);
      for (const cell of gridOf(box, 1000)) assert.ok(Math.abs(circleOf(cell).lng) <= 180, String(lng));
      for (const other of [lng, -179.98, 179.98])
        assert.ok(isInside(box, { ...place, lng: other }), `${other} lies around ${lng}`);
    }
  });

  test('are counted before the first is searched', () => {
    const cells = gridOf(town, 1000);
    const rest = { params: {}, defaults: {}, earlierResults: [], onCell: async () => {} };
    const cover = new Cover({ area: boxArea(town), cells, ...rest });
    assert.equal(cover.progress.cells, cells.length);
  });

  test('cover it: every point is within the circle of a cell, and of a quarter of that', () => {
    fc.assert(
      fc.property(boxes, fc.integer({ min: 900, max: 20_000 }), share, share, (box, side, x, y) => {
        const point = pointOf(box, x, y);
        assert.ok(isInside(box, point));
        const cells = gridOf(box, side);
        const holding = cells.filter((cell) => isInside(cell, point));
        assert.ok(holding.length >= 1 && holding.length <= 4);
        for (const cell of holding) {
          const { radius_m, ...middle } = circleOf(cell);
          assert.ok(distance(middle, point) <= radius_m);
          // Half a diagonal, and no more than rounding on top.
          assert.ok(radius_m <= Math.max(100, side * Math.SQRT1_2 * 1.01 + 3), `${radius_m} of ${side}`);
          const quarters = quartersOf(cell);
          if (quarters === null) continue;
          assert.equal(quarters.length, 4);
          const inside = quarters.filter((quarter) => isInside(quarter, point));
          assert.ok(inside.length > 0);
          for (const quarter of inside) {
            const circle = circleOf(quarter);
            assert.ok(distance(circle, point) <= circle.radius_m);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('are as many as fit, and end when they are small', () => {
    assert.equal(gridOf(town, 1000).length, 36);
    assert.equal(gridOf(town, 50_000).length, 1);
    let cell: Box | undefined = gridOf(town, 1000)[0];
    let splits = 0;
    for (let next = cell && quartersOf(cell); next; next = cell && quartersOf(cell)) {
      cell = next[0];
      splits += 1;
    }
    assert.equal(splits, 4);
  });

  test('cross the date line', () => {
    const islands = parseBox('179.9,-17,-179.9,-16.9');
    for (const cell of gridOf(islands, 5000)) {
      const { lng } = circleOf(cell);
      assert.ok(Math.abs(lng) > 179.8 && Math.abs(lng) <= 180);
    }
    assert.ok(isInside(islands, { lat: -16.95, lng: -179.95 }));
    assert.ok(!isInside(islands, { lat: -16.95, lng: 0 }));
  });

  test('are refused if the area or the size is invalid, or there are too many', () => {
    const boxes = ['', '1,2,3', '1,2,3,x', '200,0,201,1', '0,1,1,0', '0,0,0,1', '0,-90,1,1', '1,2,3,4,5'];
    for (const text of [...boxes, ',,,'])
      assert.throws(() => parseBox(text), refusal('invalid_parameter', /west,south,east,north/), text);
    for (const text of ['', '1mile', '10m', '51km', '-1km'])
      assert.throws(() => parseLength(text), refusal('invalid_parameter', /150m to 50km/), text);
    assert.deepEqual(['1km', '500m', '750', '1.5 km'].map(parseLength), [1000, 500, 750, 1500]);
    assert.throws(() => gridOf(parseBox('0,0,40,40'), 150), refusal('invalid_parameter', /larger cells/));
  });
});
