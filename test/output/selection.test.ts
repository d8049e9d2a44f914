import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectionOf } from '../../src/faces/cli/output.js';
import { UsageError } from '../../src/faces/cli/usage-error.js';
import { fieldNames, select, valueAt } from '../../src/output/selection.js';
import { aHarbour, harbour } from '../support/invented-rows.js';

const names = (fields: readonly string[] | null) =>
  select(harbour, true, fields).columns.map(({ name }) => name);

test('columns are the fields of the schema in order, with dots for nested objects', () => {
  const columns = 'name berths location.lat location.lng open tags boats page_url note';
  assert.equal(names(null).join(' '), columns);
});

test('numbers are known from the schema', () => {
  const numeric = select(harbour, true, null).columns.filter((column) => column.numeric);
  const numbers = numeric.map(({ name }) => name);
  assert.deepEqual(numbers, ['berths', 'location.lat', 'location.lng']);
});

test('without a choice an item stays unchanged', () => {
  const item = aHarbour();
  assert.equal(select(harbour, true, null).pick(item), item);
});

test('chosen fields come in the chosen order, once, inner objects as objects', () => {
  const { pick, chosen } = select(harbour, true, ['open', 'location.lng', 'name', 'open']);
  assert.equal(chosen, true);
  assert.equal(
    JSON.stringify(pick(aHarbour())),
    '{"open":true,"location":{"lng":8.25},"name":"Little Quay"}',
  );
  assert.deepEqual(names(['open', 'location', 'name']), ['open', 'location.lat', 'location.lng', 'name']);
});

test('a field inside an object that is null makes the object null', () => {
  const { pick } = select(harbour, false, ['location.lat', 'location.lng']);
  assert.deepEqual(pick(aHarbour({ location: null })), { location: null });
  assert.equal(valueAt(aHarbour({ location: null }), ['location', 'lat']), null);
});

test('a field that is not there is a usage error that lists those that are', () => {
  for (const wrong of ['nme', '', 'location.alt', 'boats.name', '__proto__', 'constructor']) {
    assert.throws(
      () => selectionOf(harbour, true, { fields: ['name', wrong] }),
      (error) =>
        error instanceof UsageError &&
        error.code === 'invalid_parameter' &&
        error.hint.includes('location.lat'),
      wrong,
    );
  }
  assert.ok(fieldNames(harbour).includes('location'));
});
