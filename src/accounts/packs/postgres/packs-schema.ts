import type { PostgresSchema } from '../../../../lib/postgres/table-schema.js';

/**
 * Orders of packs, and with `paid_at` their receipts. They outlive the account, under its id alone. `submitted_at` is
 * set when a payment is on its way that takes days. Times are milliseconds since 1970.
 */
export const packsSchema: PostgresSchema = {
  name: 'packs',
  steps: [
    `
    CREATE TABLE purchases (
      id text COLLATE "C" PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      credits bigint NOT NULL CHECK (credits > 0),
      amount bigint CHECK (amount > 0),
      currency text NOT NULL,
      method text NOT NULL CHECK (method IN ('hand', 'stripe')),
      status text NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
      created_at bigint NOT NULL,
      submitted_at bigint,
      paid_at bigint,
      receipt bigint UNIQUE,
      company text,
      tax_number text,
      CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
      CHECK ((status = 'paid') = (receipt IS NOT NULL))
    );
    CREATE INDEX purchases_of_account ON purchases (account, created_at, id);

    -- One row. A sequence would leave gaps where a transaction fails: receipts have none.
    CREATE TABLE receipts (number bigint NOT NULL);
    INSERT INTO receipts (number) VALUES (0);

    CREATE TABLE buyers (
      account text COLLATE "C" PRIMARY KEY,
      company text NOT NULL,
      tax_number text NOT NULL
    );
    `,
  ],
  imports: {
    tables: [{ table: 'purchases' }, { table: 'buyers' }],
    derive: 'UPDATE receipts SET number = (SELECT coalesce(max(receipt), 0) FROM purchases);',
  },
};
