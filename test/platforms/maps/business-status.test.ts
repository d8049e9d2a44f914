import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { businessStatus } from '../../../lib/platforms/maps/business-status.js';
import { type Places, sparse } from '../../support/sparse.js';

const words = (text: string, state: unknown = null) => ({ '203.1.4.0': text, '203.1.2': state });
const badge = { '88.0': 'CLOSED' };
const week = { '203.0': [['Mon']] };
const foreign = 'Väliaikaisesti suljettu';

describe('business status', () => {
  for (const [name, places, expected] of [
    ['a number marks permanent closure', { 23: 1 }, 'CLOSED_PERMANENTLY'],
    ['that number comes before an open state', { 23: 1, '203.1.2': 1 }, 'CLOSED_PERMANENTLY'],
    ['a badge marks permanent closure', badge, 'CLOSED_PERMANENTLY'],
    [
      'words for a temporary closure win over the badge',
      { ...badge, ...words('Temporarily closed') },
      'CLOSED_TEMPORARILY',
    ],
    [
      'the badge agrees with words for a permanent closure',
      { ...badge, ...words('Permanently closed') },
      'CLOSED_PERMANENTLY',
    ],
    ['words for the night win over the badge', { ...badge, ...words('Closed · Opens 11 AM Tue', 5) }, null],
    ['a highlight at the badge’s position is no status', { '88.0': 'Dogs allowed' }, null],
    ['the word closed at the badge’s position is no status', { '88.0': 'closed' }, null],
    ...[1, 2, 3, 4, 5, 6].map((state) => [
      ...[`a place that closes for the night is in business in state ${state}`],
      ...[words('Closed ⋅ Opens 9 AM', state), 'OPERATIONAL'],
    ]),
    ['hours alone mean operational', week, 'OPERATIONAL'],
    ['older hours alone mean operational', { '34.1': [['Mon']] }, 'OPERATIONAL'],
    ['a line in an unknown language is unknown', words(foreign), null],
    ['an unknown state next to hours is unknown', { '203.1.2': 9, ...week }, null],
    ['an unknown line next to hours is unknown', { '203.1.4.0': foreign, ...week }, null],
    ['a place without any of them has no status', {}, null],
  ] as [string, Places, string | null][]) {
    test(name, () => assert.equal(businessStatus(sparse(places)), expected));
  }

  for (const [text, expected] of [
    ['Temporarily closed', 'CLOSED_TEMPORARILY'],
    ['Temporairement fermé', 'CLOSED_TEMPORARILY'],
    ['Vorübergehend geschlossen', 'CLOSED_TEMPORARILY'],
    ['Tijdelijk gesloten', 'CLOSED_TEMPORARILY'],
    ['臨時休業', 'CLOSED_TEMPORARILY'],
    ['Permanently closed', 'CLOSED_PERMANENTLY'],
    ['Dauerhaft geschlossen', 'CLOSED_PERMANENTLY'],
    ['永久歇業', 'CLOSED_PERMANENTLY'],
  ] as const) {
    test(`“${text}” is ${expected}, at the current and at the older position`, () => {
      assert.equal(businessStatus(sparse(words(text, 1))), expected);
      assert.equal(businessStatus(sparse({ '34.4.4': text })), expected);
    });
  }

  test('is null without a node', () => {
    for (const node of [null, 'text']) assert.equal(businessStatus(node), null);
  });
});
