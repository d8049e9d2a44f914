import { test } from 'node:test';
import { assertKilledRunTells } from './killed-run.js';

test('alerts lose no item of a batch that is killed while they are sent', (t) =>
  assertKilledRunTells(t, 'ndjson', [0.7]));
