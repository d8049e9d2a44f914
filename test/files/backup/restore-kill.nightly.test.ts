import { test } from 'node:test';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { killRestores } from './kill-restores.js';

test('a restore that is killed at any of a hundred moments is repeated with the same command', (t) =>
  killRestores(t, temporaryFolder(), 100));
