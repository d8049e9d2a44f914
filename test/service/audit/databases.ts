import path from 'node:path';
import { after } from 'node:test';
import type { Database } from '../../../lib/database/database.js';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { auditSchema } from '../../../src/service/audit/audit-schema.js';
import { FakeClock } from '../../support/fake-clock.js';
import { openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A kind of database with the tables of the log. */
interface AuditDatabase {
  readonly name: string;
  readonly skip: string | false;
  /** Opens one that holds nothing; it goes with the test file. */
  open(): Promise<Database>;
  /** Takes away what keeps the acts from being changed, as somebody would who has the database. */
  readonly unlock: readonly string[];
}

const folder = temporaryFolder();
const closes: (() => Promise<unknown>)[] = [];
let homes = 0;
after(async () => {
  for (const close of closes) await close();
});

export const auditDatabases: readonly AuditDatabase[] = [
  {
    name: 'in SQLite',
    skip: false,
    async open() {
      homes += 1;
      const { ledger, database } = await openDirectory(path.join(folder, String(homes)), new FakeClock(), 0);
      closes.push(() => ledger.close());
      return database.stores;
    },
    unlock: ['DROP TRIGGER audit_act_changed', 'DROP TRIGGER audit_act_gone'],
  },
  {
    name: 'in PostgreSQL',
    skip: skipWithoutPostgres,
    async open() {
      const { postgres, close } = await openTestDatabase([postgresSchema(auditSchema)]);
      closes.push(close);
      return postgres;
    },
    unlock: ['DROP TRIGGER audit_act_changed ON audit_acts'],
  },
];
