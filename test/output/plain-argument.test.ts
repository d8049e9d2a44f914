import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyingParams, paramOfArgument } from '../../src/output/plain-argument.js';
import { harbourOne, harbours, notes } from '../support/invented-rows.js';

test('the plain argument is a required parameter, whatever its form', () => {
  assert.deepEqual(identifyingParams(harbours), ['query']);
  assert.equal(paramOfArgument(harbours, 'small boats'), 'query');
  assert.equal(paramOfArgument(harbours, 'https://harbours.example/x'), 'query');
});

test('of a pair, the url is what looks like an address', () => {
  assert.deepEqual(identifyingParams(harbourOne), ['id', 'url']);
  const paths = ['https://harbours.example/q', 'www.harbours.example/q', 'harbours.example/@q'];
  for (const url of [...paths, 'HTTP://harbours.example'])
    assert.equal(paramOfArgument(harbourOne, url), 'url', url);
  const names = ['quay', '@quay', 'mira.kettle', 'a.b.c', '-AbC_9', '0x1:0x2', '', 'a/b'];
  for (const id of [...names, '7571863205253778710']) assert.equal(paramOfArgument(harbourOne, id), 'id', id);
});

test('of two kinds of address, the one that the endpoint understands', () => {
  assert.equal(paramOfArgument(notes, 'https://notes.example/crew/7'), 'crew_url');
  assert.equal(paramOfArgument(notes, 'https://notes.example/boat/7'), 'boat_url');
});

test('an invalid address is left for the call to refuse', () => {
  assert.equal(paramOfArgument(notes, 'https://elsewhere.example/x'), 'boat_url');
  assert.equal(paramOfArgument(notes, 'seven'), 'boat_url');
});
