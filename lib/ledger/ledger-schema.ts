import { declareColumns } from '../database/columns.js';
import type { ColumnTypes, Dialect } from '../database/dialect.js';
import type { TableSchema } from '../database/table-schema.js';
import { callColumns } from './call-row.js';

const rules = {
  status: `CHECK (status IN ('pending', 'ok', 'failed'))`,
  credits_charged: 'CHECK (credits_charged >= 0)',
  credits_refunded: 'DEFAULT 0 CHECK (credits_refunded >= 0)',
  cached: 'DEFAULT false CHECK (cached IN (false, true))',
};

/** SQLite stores an account's rows together, in time order. */
const keysOfCalls = {
  sqlite: 'UNIQUE (id), PRIMARY KEY (account, created_at, id)',
  postgres: 'PRIMARY KEY (id)',
};

/** A job's calls are in input order, because the index ends their ids. */
const indexes = {
  sqlite: `
    CREATE INDEX usage_of_job ON usage (job_id, length(id), id) WHERE job_id IS NOT NULL;
    -- Rows of jobs are not among those that recovery looks for, and there are thousands of them at once.
    CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending' AND job_id IS NULL;
  `,
  postgres: `
    -- The pages of an account: newest first, and the inputs of one job by their index, whose ids end in it.
    CREATE INDEX usage_of_account ON usage (account, created_at, length(id), id);
    CREATE INDEX usage_single ON usage (account, created_at, id) WHERE job_id IS NULL;
    CREATE INDEX usage_of_endpoint ON usage (account, endpoint, created_at, length(id), id);
    CREATE INDEX usage_of_key ON usage (account, key_id, created_at, length(id), id) WHERE key_id IS NOT NULL;
    CREATE INDEX usage_failed ON usage (account, created_at, length(id), id) WHERE status = 'failed';
    CREATE INDEX usage_of_code ON usage (account, error_code, created_at, length(id), id) WHERE error_code IS NOT NULL;
    CREATE INDEX usage_of_job ON usage (job_id, length(id), id) WHERE job_id IS NOT NULL;
    -- What a node that ended leaves behind. Rows of jobs go on elsewhere.
    CREATE INDEX usage_pending ON usage (owner) WHERE status = 'pending' AND job_id IS NULL;
  `,
};

/**
 * The end of a table whose rows change thousands of times a second. Free space on their pages lets them be updated in
 * place.
 */
const busyEnd = ({ end }: ColumnTypes, { name }: Dialect) =>
  name === 'postgres' ? 'WITH (fillfactor = 50)' : end;

/** The tables of sums, which the first release lacked. */
const sumTables = (types: ColumnTypes, dialect: Dialect) => `
  -- What archived calls came to, by day (its beginning) and key ('' for none): the books add up without their rows.
  CREATE TABLE usage_days (
    account ${types.id} NOT NULL,
    day ${types.integer} NOT NULL,
    endpoint ${types.id} NOT NULL,
    key_id ${types.id} NOT NULL,
    calls ${types.integer} NOT NULL,
    failed ${types.integer} NOT NULL,
    cached ${types.integer} NOT NULL,
    credits_charged ${types.integer} NOT NULL,
    credits_refunded ${types.integer} NOT NULL,
    PRIMARY KEY (account, day, endpoint, key_id)
  ) ${types.end};

  -- What ended calls came to, archived ones included, by the day that they were made on: long histories are summed up here.
  CREATE TABLE usage_sums (
    account ${types.id} NOT NULL,
    day ${types.integer} NOT NULL,
    endpoint ${types.id} NOT NULL,
    key_id ${types.id} NOT NULL,
    calls ${types.integer} NOT NULL CHECK (calls >= 0),
    failed ${types.integer} NOT NULL CHECK (failed >= 0),
    credits ${types.integer} NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (account, day, endpoint, key_id)
  ) ${busyEnd(types, dialect)};

  -- What each key was charged in each month (UTC), by the time of the charge, for limits of keys.
  CREATE TABLE key_months (
    key_id ${types.id} NOT NULL,
    month ${types.id} NOT NULL,
    credits ${types.integer} NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (key_id, month)
  ) ${busyEnd(types, dialect)};
`;

const fillSums = `
  INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits)
  SELECT account, day, endpoint, key_id, sum(calls), sum(failed), sum(credits) FROM (
    SELECT account, created_at / 86400000 * 86400000 AS day, endpoint, coalesce(key_id, '') AS key_id, 1 AS calls,
      CASE status WHEN 'failed' THEN 1 ELSE 0 END AS failed, credits_charged AS credits
    FROM usage WHERE status <> 'pending'
    UNION ALL SELECT account, day, endpoint, key_id, calls, failed, credits_charged FROM usage_days
  ) AS ended GROUP BY account, day, endpoint, key_id;
`;

/**
 * The tables of the ledger. Times are milliseconds since 1970; ids are ordered by their bytes. `balance` is updated in
 * the transactions that write the rows. A usage row is `pending` between charge and settle. During that time its price
 * has been deducted, and `owner` names the working process or node.
 */
export const ledgerSchema: TableSchema = {
  name: 'ledger',
  tables: (types, dialect) => `
    CREATE TABLE balances (
      id ${types.id} PRIMARY KEY,
      balance ${types.integer} NOT NULL CHECK (balance BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}),
      bought ${types.flag} NOT NULL CHECK (bought IN (false, true)),
      created_at ${types.integer} NOT NULL
    ) ${busyEnd(types, dialect)};

    CREATE TABLE grants (
      id ${types.id} PRIMARY KEY,
      account ${types.id} NOT NULL,
      credits ${types.integer} NOT NULL CHECK (credits > 0),
      kind ${types.text} NOT NULL,
      created_at ${types.integer} NOT NULL
    ) ${types.end};
    CREATE INDEX grants_of_account ON grants (account, created_at, id);

    CREATE TABLE usage (${declareColumns(callColumns, types, rules)}, ${keysOfCalls[dialect.name]}) ${types.end};
    ${indexes[dialect.name]}
    ${sumTables(types, dialect)}
  `,
  directory: {
    version: 12,
    released: 5,
    upgrade: (types, dialect) => `
      ALTER TABLE accounts RENAME TO balances;
      ALTER TABLE parts RENAME TO schema_versions;
      DROP INDEX usage_of_job;
      DROP INDEX usage_pending;
      ${indexes.sqlite}
      ALTER TABLE usage ADD COLUMN duration_ms INTEGER;
      ${sumTables(types, dialect)}
      INSERT INTO key_months (key_id, month, credits)
        SELECT key_id, strftime('%Y-%m', charged_at / 1000, 'unixepoch') AS month, sum(credits_charged)
        FROM usage WHERE key_id IS NOT NULL GROUP BY key_id, month;
      ${fillSums}
    `,
  },
  imports: {
    tables: [
      { table: 'balances' },
      { table: 'grants' },
      { table: 'usage' },
      { table: 'usage_days' },
      { table: 'key_months' },
    ],
    derive: fillSums,
  },
};
