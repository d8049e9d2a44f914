import { test } from 'node:test';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { killImports } from './kill-imports.js';

test('an import that is killed is repeated with the same command', { skip: skipWithoutPostgres }, () =>
  killImports(temporaryFolder(), 3),
);
