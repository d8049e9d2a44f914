import type { PostgresSchema } from '../../database/postgres/table-schema.js';

/**
 * The tables of the ledger. Times are milliseconds since 1970; ids are ordered by their bytes. A usage row is `pending`
 * between charge and settle. Its price is out of the balance, and `owner` names the node at work.
 */
export const ledgerSchema: PostgresSchema = {
  name: 'ledger',
  steps: [
    `
    -- One row takes thousands of changes a second: free space on its page keeps them there.
    CREATE TABLE balances (
      id text COLLATE "C" PRIMARY KEY,
      balance bigint NOT NULL CHECK (balance BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}),
      bought boolean NOT NULL,
      created_at bigint NOT NULL
    ) WITH (fillfactor = 50);

    CREATE TABLE grants (
      id text COLLATE "C" PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      credits bigint NOT NULL CHECK (credits > 0),
      kind text NOT NULL,
      created_at bigint NOT NULL
    );
    CREATE INDEX grants_of_account ON grants (account, created_at, id);

    CREATE TABLE usage (
      id text COLLATE "C" PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      charged_at bigint NOT NULL,
      endpoint text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'ok', 'failed')),
      error_code text COLLATE "C",
      credits_charged bigint NOT NULL CHECK (credits_charged >= 0),
      credits_refunded bigint NOT NULL DEFAULT 0 CHECK (credits_refunded >= 0),
      cached boolean NOT NULL DEFAULT false,
      key_id text COLLATE "C",
      key_name text,
      job_id text COLLATE "C",
      owner text COLLATE "C",
      duration_ms bigint
    );
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

    -- What archived calls came to, by day (its beginning) and key ('' for none): the books add up without their rows.
    CREATE TABLE usage_days (
      account text COLLATE "C" NOT NULL,
      day bigint NOT NULL,
      endpoint text COLLATE "C" NOT NULL,
      key_id text COLLATE "C" NOT NULL,
      calls bigint NOT NULL,
      failed bigint NOT NULL,
      cached bigint NOT NULL,
      credits_charged bigint NOT NULL,
      credits_refunded bigint NOT NULL,
      PRIMARY KEY (account, day, endpoint, key_id)
    );

    -- What ended calls came to, archived ones included, by the day that they were made on: long histories are summed up here.
    CREATE TABLE usage_sums (
      account text COLLATE "C" NOT NULL,
      day bigint NOT NULL,
      endpoint text COLLATE "C" NOT NULL,
      key_id text COLLATE "C" NOT NULL,
      calls bigint NOT NULL CHECK (calls >= 0),
      failed bigint NOT NULL CHECK (failed >= 0),
      credits bigint NOT NULL CHECK (credits >= 0),
      PRIMARY KEY (account, day, endpoint, key_id)
    ) WITH (fillfactor = 50);

    -- What each key was charged in each month (UTC), by the time of the charge, for limits of keys.
    CREATE TABLE key_months (
      key_id text COLLATE "C" NOT NULL,
      month text COLLATE "C" NOT NULL,
      credits bigint NOT NULL CHECK (credits >= 0),
      PRIMARY KEY (key_id, month)
    ) WITH (fillfactor = 50);

    -- The processes that charge calls. What one leaves behind is given back when it was not seen for a while.
    CREATE TABLE nodes (
      id text COLLATE "C" PRIMARY KEY,
      seen_at timestamptz NOT NULL DEFAULT now()
    );
    `,
    `
    -- What a node has charged and has not heard of yet: a row for each of its commits, until it has.
    CREATE TABLE unheard_commits (
      node text COLLATE "C" NOT NULL,
      number bigint NOT NULL,
      calls text[] NOT NULL,
      made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (node, number)
    );
    `,
  ],
  imports: {
    tables: [
      { table: 'balances' },
      { table: 'grants' },
      { table: 'usage' },
      { table: 'usage_days' },
      { table: 'key_months' },
    ],
    derive: `
      INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits)
      SELECT account, day, endpoint, key_id, sum(calls), sum(failed), sum(credits) FROM (
        SELECT account, created_at / 86400000 * 86400000 AS day, endpoint, coalesce(key_id, '') AS key_id, 1 AS calls,
          (status = 'failed')::int AS failed, credits_charged AS credits
        FROM usage WHERE status <> 'pending'
        UNION ALL SELECT account, day, endpoint, key_id, calls, failed, credits_charged FROM usage_days
      ) AS ended GROUP BY account, day, endpoint, key_id;
    `,
  },
};
