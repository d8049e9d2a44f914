import { test } from 'node:test';
import { allSchemas } from '../../src/database-tables.js';
import { openDatabase } from '../../src/open-postgres.js';
import { makeTestDatabase, skipWithoutPostgres } from './postgres.js';
import { keepElsewhere } from './server-store.js';

/**
 * Runs test files once more, with servers whose state is in PostgreSQL: each server has a database of its own. `load`
 * imports them.
 */
export async function alsoInPostgres(load: () => Promise<unknown>): Promise<void> {
  if (skipWithoutPostgres !== false) {
    test('in PostgreSQL', { skip: skipWithoutPostgres }, () => undefined);
    return;
  }
  keepElsewhere(async (home, clock, trialCredits) => {
    const { config, drop } = await makeTestDatabase(allSchemas());
    const store = await openDatabase(config, { home, clock, trialCredits });
    return {
      ...store,
      async close() {
        await store.close();
        await drop();
      },
    };
  });
  await load();
}
