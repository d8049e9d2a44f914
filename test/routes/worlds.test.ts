import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { firstCalls } from '../support/worlds/first-calls.js';
import { places } from '../support/worlds/world.js';

describe('the two worlds of the tests', () => {
  test('have a place for each route of the table that takes no browser, and none for others', () => {
    const routes = endpoints.flatMap(({ path, routes, roles }) =>
      routes.filter(({ name }) => roles[name] !== 'browser').map(({ name }) => `${path} ${name}`),
    );
    assert.deepEqual(places.flatMap((place) => place.routes).sort(), routes.sort());
  });

  test('are asked at each endpoint', () => {
    assert.deepEqual(
      [...new Set(firstCalls.map(({ path }) => path))].sort(),
      endpoints.map(({ path }) => path).sort(),
    );
  });

  test('at home, every endpoint answers', () => {
    assert.deepEqual(
      firstCalls.filter(({ home }) => home.refused !== undefined),
      [],
    );
  });
});
