import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { ledgerHarness } from './postgres-harness.js';

describe('a look whether a ledger in PostgreSQL can be written', { skip: skipWithoutPostgres }, () => {
  const open = ledgerHarness(after);

  test('writes next to the tables, because changed rows need no space for a long time', async () => {
    const { ledger, database } = await open();
    await ledger.checkWritable();
    // One of the database's own limits simulates a full disk; it fails the same write.
    await database.postgres.write(async (queries) => {
      const [row] = await queries.rows<{ readonly name: string }>('SELECT current_database() AS name');
      await queries.run(`ALTER DATABASE ${row?.name} SET temp_file_limit = '64kB'`);
    });
    const bounded = await Postgres.open(database.config, systemClock);
    await assert.rejects(
      new PostgresLedger(bounded, systemClock).checkWritable(),
      ({ cause }: { readonly cause: { readonly code: string } }) => cause.code === '53400',
    );
    await bounded.close();
  });
});
