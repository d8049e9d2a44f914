import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { growth, measuresOf, sparkline } from '../../../src/files/history/growth.js';
import { mainField, numberFields } from '../../../src/files/history/main-field.js';

const day = 86_400_000;
const at = (days: number, value: number) => ({ at: days * day, value });

test('growth is what was added since the value that held then; nobody knows what was before the first', () => {
  const measures = [at(0, 100), at(2, 130), at(9, 90)];
  assert.equal(growth(measures, day), -40);
  assert.equal(growth(measures, 7 * day), -40);
  assert.equal(growth(measures, 8 * day), -10);
  assert.equal(growth(measures, 30 * day), null);
  assert.equal(growth([], day), null);
});

test('a course goes from the lowest to the highest value, and one reading has none', () => {
  assert.equal(sparkline([at(0, 0), at(1, 7), at(2, 7)], 3), '▁██');
  assert.equal(sparkline([at(0, 5), at(1, 5)], 4), '▁▁▁▁');
  assert.equal(sparkline([at(0, 5)], 4), '');
});

test('what a clock that was set back mixed is put in order, and what is no number is left out', () => {
  const points = [
    { at: '1970-01-03T00:00:00.000Z', value: 3 },
    { at: '1970-01-02T00:00:00.000Z', value: null },
    { at: '1970-01-01T00:00:00.000Z', value: 1 },
  ];
  assert.deepEqual(measuresOf({ points }), [at(0, 1), at(2, 3)]);
});

test('each object with numbers has one that stands for it', () => {
  const main = Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, mainField(endpoint)]));
  assert.equal(main['photosocial/profile'], 'followers_count');
  assert.equal(main['shortvideo/profile'], 'follower_count');
  assert.equal(main['maps/place'], 'user_ratings_total');
  for (const endpoint of endpoints)
    assert.equal(mainField(endpoint) === null, numberFields(endpoint).length === 0);
});
