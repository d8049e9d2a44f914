import { test } from 'node:test';
import { assertKilledCoverIsWhole } from './killed-cover.js';

// At different depths: among the first cells, and among quarters of quarters.
test('an area whose covering is killed again and again has every place once, for the price of one run', (t) =>
  assertKilledCoverIsWhole(t, [3, 20, 35, 50]));
