import path from 'node:path';
import { after, describe } from 'node:test';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { PostgresRefusedCalls } from '../../src/usage/postgres/postgres-refused-calls.js';
import { refusedCallsSchema as inPostgres } from '../../src/usage/postgres/refused-calls-schema.js';
import { refusedCallsSchema, SqliteRefusedCalls } from '../../src/usage/sqlite/sqlite-refused-calls.js';
import { FakeClock } from '../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { refusedCallsPort } from './refused-calls-port.js';

refusedCallsPort('in a file', async () => {
  const clock = new FakeClock();
  const file = path.join(temporaryFolder(), 'ledger.db');
  const database = await openLedger(file, { clock, schemas: [refusedCallsSchema] }).database();
  const calls = new SqliteRefusedCalls(database, clock);
  const deleteAccount = (account: string) => database.write(() => calls.deleteAccount({ account }));
  return { calls, clock, deleteAccount };
});

describe('in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const opened: OpenTestDatabase[] = [];
  after(async () => {
    for (const database of opened) await database.close();
  });
  refusedCallsPort('in a database', async () => {
    const clock = new FakeClock();
    const database = await openTestDatabase([inPostgres]);
    opened.push(database);
    const calls = new PostgresRefusedCalls(database.postgres, clock);
    const deleteAccount = (account: string) =>
      database.postgres.transaction((queries) => calls.deleteAccount(queries, account));
    return { calls, clock, deleteAccount };
  });
});
