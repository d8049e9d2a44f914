import path from 'node:path';
import { after, describe } from 'node:test';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { sqliteSchema } from '../../../lib/database/sqlite/migration.js';
import { openLedger } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { RefusedCallStore } from '../../../src/service/usage/refused-call-store.js';
import { refusedCallsSchema } from '../../../src/service/usage/refused-calls-schema.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { refusedCallsPort } from './refused-calls-port.js';

refusedCallsPort('in a file', async () => {
  const clock = new FakeClock();
  const file = path.join(temporaryFolder(), 'ledger.db');
  const database = await openLedger(file, { clock, schemas: [sqliteSchema(refusedCallsSchema)] }).database();
  const calls = new RefusedCallStore(database.stores, clock);
  const deleteAccount = (account: string) =>
    database.stores.transaction((queries) => calls.deleteAccount(queries, { account }));
  return { calls, clock, deleteAccount };
});

describe('in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const opened: OpenTestDatabase[] = [];
  after(async () => {
    for (const database of opened) await database.close();
  });
  refusedCallsPort('in a database', async () => {
    const clock = new FakeClock();
    const database = await openTestDatabase([postgresSchema(refusedCallsSchema)]);
    opened.push(database);
    const calls = new RefusedCallStore(database.postgres, clock);
    const deleteAccount = (account: string) =>
      database.postgres.transaction((queries) => calls.deleteAccount(queries, { account }));
    return { calls, clock, deleteAccount };
  });
});
