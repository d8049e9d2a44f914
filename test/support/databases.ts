import path from 'node:path';
import { after } from 'node:test';
import type { Database } from '../../lib/database/database.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import type { TableSchema } from '../../lib/database/table-schema.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from './fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres } from './postgres.js';
import { temporaryFolder } from './temporary-folder.js';

/** A kind of database for the test suites of stores. */
export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly skip: string | false;
  /**
   * Creates an empty one with the tables of a schema. Resolves with a function that opens it, once per simulated
   * process.
   */
  make(schema: TableSchema): Promise<() => Promise<Database>>;
}

const folder = temporaryFolder();
const closes: (() => Promise<unknown>)[] = [];
let files = 0;
// Shared by the whole file, whichever test opened it.
after(async () => {
  for (const close of closes.reverse()) await close();
});

export const databaseKinds: readonly DatabaseKind[] = [
  {
    name: 'SQLite',
    skip: false,
    async make(schema) {
      files += 1;
      const file = path.join(folder, String(files), 'ledger.db');
      return async () => {
        const ledger = openLedger(file, { clock: new FakeClock(), schemas: [sqliteSchema(schema)] });
        closes.push(() => ledger.close());
        return (await ledger.database()).stores;
      };
    },
  },
  {
    name: 'PostgreSQL',
    skip: skipWithoutPostgres,
    async make(schema) {
      const { config, drop } = await makeTestDatabase([postgresSchema(schema)]);
      closes.push(drop);
      return async () => {
        const postgres = await Postgres.open(config, systemClock);
        closes.push(() => postgres.close());
        return postgres;
      };
    },
  },
];
