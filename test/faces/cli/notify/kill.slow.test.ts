import { test } from 'node:test';
import { assertKilledRunTells } from './killed-run.js';

// The run takes its time to start: the kills come before, during and after its lines.
test('alerts lose no item of a batch that is killed again and again, also while they are sent', (t) =>
  assertKilledRunTells(t, 'ndjson', [0.5, 0.6, 0.7, 0.8, 0.9, 1]));
