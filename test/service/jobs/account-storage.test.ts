import { describe } from 'node:test';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { accountStorageSuite } from './account-storage-port.js';
import { databaseHarness } from './database-harness.js';
import { jobsHarness } from './harness.js';

describe('the storage of accounts in SQLite', () => accountStorageSuite(jobsHarness));

describe('the storage of accounts in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  accountStorageSuite(async (t, options) => (await databaseHarness(t)).node(options));
});
