import { test } from 'node:test';
import { assertKilledChainIsWhole } from './killed-chain.js';

test('a chain that is killed in its second stage has each line once', () => assertKilledChainIsWhole([70]));
