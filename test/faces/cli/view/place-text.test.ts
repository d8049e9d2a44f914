import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coordinates, placeLines } from '../../../../src/faces/cli/view/place-text.js';

test('hours are the days of a week; an open end and a closed day are told apart', () => {
  const lines = placeLines([
    { open: { day: 1, time: '0800' }, close: { day: 1, time: '1200' } },
    { open: { day: 1, time: '1430' }, close: { day: 1, time: '1900' } },
    { open: { day: 6, time: '0000' }, close: null },
  ]);
  assert.deepEqual(lines?.slice(0, 3), ['Sun  closed', 'Mon  08:00–12:00, 14:30–19:00', 'Tue  closed']);
  assert.equal(lines?.at(-1), 'Sat  open at all hours');
});

test('busy hours are bars with their peak; a day without any has none', () => {
  const hours = [0, 50, 100].map((busyness_percent, at) => ({ hour: at + 9, busyness_percent }));
  assert.deepEqual(
    placeLines([
      { day: 2, hours },
      { day: 3, hours: [] },
      { day: 4, hours: [{ hour: 9, busyness_percent: 0 }] },
    ]),
    ['Tue  09–11 h  ▁▅█  busiest at 11:00 (100%)', 'Wed  –', 'Thu  09–09 h  ▁'],
  );
});

test('attributes stand behind their section, and a missing one says no', () => {
  const attributes = [
    { name: 'Garden', available: true },
    { name: 'Delivery', available: false },
    { name: 'Lift', available: null },
  ];
  assert.deepEqual(placeLines([{ section: 'Service', attributes }]), ['Service: Garden, no Delivery, Lift']);
});

test('other values have no lines of their own', () => {
  for (const value of [null, 'x', [], [1], [{ name: 'x' }], { open: 1 }])
    assert.equal(placeLines(value), null);
});

test('coordinates are one line, and nothing else is', () => {
  assert.equal(coordinates({ lat: 47.0707137, lng: -15.4377259 }), '47.07071, -15.43773');
  for (const value of [null, 5, { lat: 1 }, { lat: null, lng: 1 }, { lng: 1, lat: 2 }]) {
    assert.equal(coordinates(value), null);
  }
});
