import path from 'node:path';
import { after } from 'node:test';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { sqliteSchema } from '../../../lib/database/sqlite/migration.js';
import { openLedger } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { historySchema } from '../../../src/files/history/history-schema.js';
import { FakeClock } from '../../support/fake-clock.js';
import { openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { historyPort } from './history-port.js';

const folder = temporaryFolder();
const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes) await close();
});

historyPort('a history in a data directory', async () => {
  const schemas = [sqliteSchema(historySchema)];
  const ledger = openLedger(path.join(folder, 'ledger.db'), { clock: new FakeClock(), schemas });
  closes.push(() => ledger.close());
  return (await ledger.database()).stores;
});

historyPort(
  'a history in PostgreSQL',
  async () => {
    const opened = await openTestDatabase([postgresSchema(historySchema)]);
    closes.push(() => opened.close());
    return opened.postgres;
  },
  skipWithoutPostgres,
);
