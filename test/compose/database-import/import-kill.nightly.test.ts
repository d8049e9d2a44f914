import { test } from 'node:test';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { killImports } from './kill-imports.js';

test('an import is killed at fifty moments', { skip: skipWithoutPostgres }, () =>
  killImports(temporaryFolder(), 50),
);
