import { test } from 'node:test';
import { assertKilledCoverIsWhole } from './killed-cover.js';

test('an area whose covering is killed among quarters of cells has every place once, for the price of one run', (t) =>
  assertKilledCoverIsWhole(t, [40]));
