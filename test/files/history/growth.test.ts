import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { growth, sparkline } from '../../../src/files/history/growth.js';
import { mainField, numberFields } from '../../../src/files/history/main-field.js';

const day = 86_400_000;
const at = (days: number, value: number) => ({ at: days * day, value });

test('growth is measured from the value at its start; before the first value it is unknown', () => {
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

test('each object with numbers has a main one', () => {
  const main = Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, mainField(endpoint)]));
  assert.equal(main['photosocial/profile'], 'followers_count');
  assert.equal(main['shortvideo/profile'], 'follower_count');
  assert.equal(main['maps/place'], 'user_ratings_total');
  for (const endpoint of endpoints)
    assert.equal(mainField(endpoint) === null, numberFields(endpoint).length === 0);
});
