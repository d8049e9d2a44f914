import { test } from 'node:test';
import { argv } from '../../../support/argv.js';
import { assertKilledChainIsWhole } from './killed-chain.js';

// In the first stage, at the transition to the second, and in the second.
test('a chain that is killed again and again has each line once', () =>
  assertKilledChainIsWhole([20, 70, 60]));

test('so does one with pseudonyms, whose next stage reads plain names', () =>
  assertKilledChainIsWhole([20, 70, 60], argv`--pseudonymise author,username`));
