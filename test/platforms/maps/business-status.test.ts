import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { businessStatus } from '../../../lib/platforms/maps/business-status.js';
import { sparse } from '../../support/sparse.js';

const status = (words: string, state: unknown = null) => sparse({ '203.1.4.0': words, '203.1.2': state });

describe('business status', () => {
  test('a number marks permanent closure, in every language of the page', () => {
    assert.equal(businessStatus(sparse({ 23: 1 })), 'CLOSED_PERMANENTLY');
    assert.equal(businessStatus(sparse({ 23: 1, '203.1.2': 1 })), 'CLOSED_PERMANENTLY');
    assert.equal(businessStatus(sparse({ '88.0': 'CLOSED' })), 'CLOSED_PERMANENTLY');
  });

  test('the badge of a closed place yields to words that say for how long', () => {
    const badge = [[88, 0], 'CLOSED'] as const;
    const words = (text: string, state: unknown = null) =>
      sparse({ '203.1.4.0': text, '203.1.2': state, ...badge });
    assert.equal(businessStatus(words('Temporarily closed')), 'CLOSED_TEMPORARILY');
    assert.equal(businessStatus(words('Permanently closed')), 'CLOSED_PERMANENTLY');
    assert.equal(businessStatus(words('Closed · Opens 11 AM Tue', 5)), null);
  });

  test('a highlight in that place is no status', () => {
    assert.equal(businessStatus(sparse({ '88.0': 'Dogs allowed' })), null);
    assert.equal(businessStatus(sparse({ '88.0': 'closed' })), null);
  });

  for (const [words, expected] of [
    ['Temporarily closed', 'CLOSED_TEMPORARILY'],
    ['Temporairement fermé', 'CLOSED_TEMPORARILY'],
    ['Vorübergehend geschlossen', 'CLOSED_TEMPORARILY'],
    ['Tijdelijk gesloten', 'CLOSED_TEMPORARILY'],
    ['臨時休業', 'CLOSED_TEMPORARILY'],
    ['Permanently closed', 'CLOSED_PERMANENTLY'],
    ['Dauerhaft geschlossen', 'CLOSED_PERMANENTLY'],
    ['永久歇業', 'CLOSED_PERMANENTLY'],
  ] as const) {
    test(`“${words}” is ${expected}, in the current and in the older place`, () => {
      assert.equal(businessStatus(status(words, 1)), expected);
      assert.equal(businessStatus(sparse({ '34.4.4': words })), expected);
    });
  }

  test('a place that closes for the night is in business', () => {
    for (const state of [1, 2, 3, 4, 5, 6])
      assert.equal(businessStatus(status('Closed ⋅ Opens 9 AM', state)), 'OPERATIONAL');
  });

  test('hours alone prove it too', () => {
    assert.equal(businessStatus(sparse({ '34.1': [['Mon']] })), 'OPERATIONAL');
    assert.equal(businessStatus(sparse({ '203.0': [['Mon']] })), 'OPERATIONAL');
  });

  test('a line in a language or a state that is not known proves nothing', () => {
    assert.equal(businessStatus(status('Väliaikaisesti suljettu')), null);
    assert.equal(businessStatus(sparse({ '203.1.2': 9, '203.0': [['Mon']] })), null);
    assert.equal(
      businessStatus(sparse({ '203.1.4.0': 'Väliaikaisesti suljettu', '203.0': [['Mon']] })),
      null,
    );
  });

  test('without a sign it is null', () => {
    assert.equal(businessStatus(sparse()), null);
    assert.equal(businessStatus(null), null);
    assert.equal(businessStatus('text'), null);
  });
});
