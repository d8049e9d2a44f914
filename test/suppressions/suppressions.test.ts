import path from 'node:path';
import { after, describe } from 'node:test';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { SuppressionStore } from '../../lib/suppressions/suppression-store.js';
import { suppressionsSchema } from '../../lib/suppressions/suppressions-schema.js';
import { FakeClock } from '../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { suppressionsPort } from './suppressions-port.js';

suppressionsPort('in a file', async () => {
  const clock = new FakeClock();
  const file = path.join(temporaryFolder(), 'ledger.db');
  const open = async () => {
    const ledger = openLedger(file, { clock, schemas: [sqliteSchema(suppressionsSchema)] });
    after(() => ledger.close());
    return new SuppressionStore((await ledger.database()).stores, clock);
  };
  return { here: await open(), there: await open(), clock };
});

describe('in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const opened: OpenTestDatabase[] = [];
  after(async () => {
    for (const database of opened) await database.close();
  });
  suppressionsPort('in a database', async () => {
    const clock = new FakeClock();
    const database = await openTestDatabase([postgresSchema(suppressionsSchema)]);
    opened.push(database);
    const open = () => new SuppressionStore(database.postgres, clock);
    return { here: open(), there: open(), clock };
  });
});
