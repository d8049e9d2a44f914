import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { carriedColumns, ownHeading, paramHeading } from '../../../src/files/result-files/result-headings.js';
import { endpointOf } from './harness.js';

const profile = endpointOf('shortvideo/profile');
const video = endpointOf('shortvideo/video');

describe('headings of tables of results', () => {
  test('have a prefix only where the table has another use for the name', () => {
    assert.equal(paramHeading(profile, 'username'), 'input.username');
    assert.equal(paramHeading(profile, 'url'), 'url');
    const names = ['Brand', 'Budget €', 'Name', 'username', 'url', 'position', 'error.code', 'changed'];
    const prefixed = ['username', 'url', 'position', 'error.code', 'changed'].map((name) => `own.${name}`);
    const headings = names.map((name) => ownHeading(profile, name));
    assert.deepEqual(headings, ['Brand', 'Budget €', 'Name', ...prefixed]);
    assert.equal(ownHeading(profile, 'Display_Name'), 'own.Display_Name', 'beside display_name');
    assert.equal(ownHeading(video, 'query'), 'own.query', 'a search returns videos, too');
    assert.equal(ownHeading(profile, 'query'), 'query');
    for (const name of ['=1+1', "'=1", ' a', '', 'own.a', 'input.url'])
      assert.equal(ownHeading(profile, name), `own.${name}`);
  });

  test('are read back as the columns they were, also with the prefixes of earlier releases', () => {
    const own = ['Brand', 'name', 'query', 'own.a', 'input.limit', 'username', '', 'LIMIT', 'error.code'];
    for (const endpoint of endpoints) {
      const params = Object.keys(endpoint.params);
      const named = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);
      const ownHeadings = own.map((name) => ownHeading(endpoint, name));
      const written = [...params.map((name) => paramHeading(endpoint, name)), ...ownHeadings];
      const earlier = [...params.map((name) => `input.${name}`), ...own.map((name) => `own.${name}`)];
      for (const headings of [written, earlier]) {
        assert.equal(new Set(headings).size, headings.length, endpoint.path);
        const columns = carriedColumns(endpoint, headings);
        assert.deepEqual([named(columns.inputs), named(columns.own)], [params, own], endpoint.path);
      }
    }
  });
});
