import assert from 'node:assert/strict';
import path from 'node:path';
import { after } from 'node:test';
import type { Database } from '../../lib/database/database.js';
import { type DatabaseConfig, defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import type { Charge, Grant, Ledger } from '../../lib/ledger/ledger.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { accountMoney } from '../../src/compose/account-money.js';
import { openDirectory } from '../../src/compose/open-store.js';
import type { AccountMoney } from '../../src/service/accounts/account-money.js';
import { keyedDigest } from '../../src/service/accounts/digests.js';
import type { HostingStore } from '../../src/service/accounts/hosting.js';
import { hostingSchemas, openHostingStore } from '../../src/service/accounts/open-accounts.js';
import type { Operator } from '../../src/service/audit/audit-log.js';
import { assertSound, inspect } from '../ledger/books.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from './postgres.js';
import { temporaryFolder } from './temporary-folder.js';

/** The hosting stores of one process. */
export interface OpenHostingStore extends HostingStore {
  readonly money: {
    grant(grant: Grant): Promise<unknown>;
    /** Charges and ends a call. */
    pay(charge: Charge): Promise<unknown>;
    credits(account: string): Promise<number>;
  };
  /** Number of balance look-ups by accounts, alerts and purchases. */
  balanceReads(): number;
  /** Makes the store fail below the ports. */
  breakDriver(): Promise<void>;
}

/** State shared by processes. */
export interface SharedState {
  /** Opens it again, as another process would; on behalf of an operator, if one is named. */
  open(clock: Clock, trialCredits: number, operator?: Operator): Promise<OpenHostingStore>;
  /** Returns the rows of a query in SQL that both databases understand. */
  rows<Row extends object>(sql: string): Promise<readonly Row[]>;
  /** Asserts that the books add up. */
  assertSound(): Promise<void>;
}

/** A kind of store for the test suites of ports. */
export interface StoreKind {
  readonly name: string;
  readonly skip: string | false;
  /** Empty state, deleted with the test file. */
  make(): Promise<SharedState>;
}

let database: Promise<TestDatabase> | undefined;
let schemas = 0;
const closes: (() => Promise<unknown>)[] = [];
// Shared by the whole file, whichever test opened it.
after(async () => {
  for (const close of closes.reverse()) await close();
  await (await database)?.drop();
});

/** Separate tables per state: a schema in the file's database takes a tenth of the time of a database. */
async function separate(): Promise<DatabaseConfig> {
  database ??= makeTestDatabase();
  const { config } = await database;
  schemas += 1;
  const name = `state_${schemas}`;
  const first = await Postgres.open(config, systemClock, defaultTimeouts);
  await first.write((queries) => queries.run(`CREATE SCHEMA ${name}`));
  await first.close();
  const schemaConfig = { ...config, url: `${config.url}?options=-c%20search_path%3D${name}` };
  await migrateDatabase(
    schemaConfig.url,
    [postgresLedgerSchema, ...hostingSchemas.map(postgresSchema)],
    systemClock,
  );
  return schemaConfig;
}

/** The hosting stores over a database, with balance look-ups counted. */
function openHosted(
  database: Database,
  { ledger, owner, clock, trialCredits, operator }: HostedParts,
  breakDriver: () => Promise<void>,
): OpenHostingStore {
  closes.push(() => ledger.close());
  let reads = 0;
  const inner = accountMoney(owner);
  const money: AccountMoney = {
    ...inner,
    balances(queries, ids) {
      reads += 1;
      return inner.balances(queries, ids);
    },
  };
  const digest = keyedDigest(Buffer.alloc(32, 7));
  return {
    ...openHostingStore({ database, clock, money, digest, trialCredits, operator, rows: [] }),
    money: {
      grant: (grant) => ledger.grant(grant),
      pay: (charge) => ledger.pay(charge),
      credits: async (account) => (await ledger.balance(account)).credits,
    },
    balanceReads: () => reads,
    breakDriver,
  };
}

interface HostedParts {
  readonly ledger: Ledger;
  readonly owner: Parameters<typeof accountMoney>[0];
  readonly clock: Clock;
  readonly trialCredits: number;
  readonly operator: Operator | undefined;
}

const folder = temporaryFolder();
let homes = 0;

const sqlite: StoreKind = {
  name: 'in SQLite',
  skip: false,
  async make() {
    homes += 1;
    const home = path.join(folder, `store-${homes}`);
    const file = path.join(home, 'ledger.db');
    return {
      async open(clock, trialCredits, operator) {
        const { ledger, database } = await openDirectory(home, clock, trialCredits);
        const parts = { ledger, owner: database.owner, clock, trialCredits, operator };
        return openHosted(database.stores, parts, async () => {
          await database.stores.close();
          database.db.close();
        });
      },
      rows: async <Row extends object>(sql: string) => inspect(file, (db) => db.prepare<[], Row>(sql).all()),
      assertSound: async () => assertSound(file),
    };
  },
};

const postgres: StoreKind = {
  name: 'in PostgreSQL',
  skip: skipWithoutPostgres,
  async make() {
    const config = await separate();
    const connect = async () => {
      const connected = await Postgres.open(config, systemClock, defaultTimeouts);
      closes.push(() => connected.close());
      return connected;
    };
    let looker: Promise<Postgres> | undefined;
    const rows = async <Row extends object>(sql: string) => {
      looker ??= connect();
      return (await looker).read((queries) => queries.rows<Row>(sql));
    };
    return {
      async open(clock, trialCredits, operator) {
        const connected = await connect();
        const ledger = new PostgresLedger(connected, systemClock);
        const parts = { ledger, owner: ledger.owner, clock, trialCredits, operator };
        return openHosted(connected, parts, () => connected.close());
      },
      rows,
      async assertSound() {
        const wrong = await rows(
          `SELECT id, balance, granted, charged FROM balances
           LEFT JOIN (SELECT account, sum(credits) AS granted FROM grants GROUP BY account) g ON g.account = id
           LEFT JOIN (SELECT account, sum(credits_charged) AS charged FROM usage GROUP BY account) u ON u.account = id
           WHERE balance <> coalesce(granted, 0) - coalesce(charged, 0)`,
        );
        assert.deepEqual(wrong, []);
      },
    };
  },
};

/** Every kind of store. */
export const storeKinds: readonly StoreKind[] = [sqlite, postgres];
