import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canMean } from '../../../lib/platforms/maps/hours-in-words.js';

const at = (hour: number, minute = 0) => hour * 60 + minute;

describe('the words of a day', () => {
  for (const [words, from, to] of [
    ['9 AM–5:30 PM', at(9), at(17, 30)],
    ['9:00\u202fπ.μ.–11:30\u202fμ.μ.', at(9), at(23, 30)],
    ['09:00–00:00', at(9), at(0)],
    ['9.00–24.00', at(9), at(24)],
    ['09h00 à 12h15', at(9), at(12, 15)],
    ['9時00分～17時30分', at(9), at(17, 30)],
    ['٩:٠٠ ص–٥:٣٠ م', at(9), at(17, 30)],
    ['오전 9:00~오후 5:30', at(9), at(17, 30)],
    ['6 PM–2 AM', at(18), at(26)],
    ['Open 24 hours', at(0), at(0)],
    ['Rund um die Uhr geöffnet', at(0), at(0)],
    ['12:00–12:45 AM', at(12), at(24, 45)],
  ] as const) {
    test(`${words} mean its hours`, () => assert.ok(canMean(words, [from, to])));
  }

  for (const [words, from, to] of [
    ['9 AM–5:30 PM', at(0, 9), at(17, 30)],
    ['9 AM–12 AM', at(0, 9), at(24)],
    ['09:00–17:30', at(9), at(0, 17)],
    ['10:00–18:00', at(0, 10), at(0, 18)],
    ['8 AM–5 PM', at(9), at(17)],
  ] as const) {
    test(`${words} do not mean the hours that a moved list gives`, () =>
      assert.ok(!canMean(words, [from, to])));
  }

  test('that are not there say nothing', () => assert.ok(canMean(null, [at(9), at(17)])));
});
