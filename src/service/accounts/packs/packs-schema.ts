import type { TableSchema } from '../../../../lib/database/table-schema.js';

/**
 * Orders of packs; with `paid_at` also their receipts. They outlive the account, under its id alone. `submitted_at` is
 * set while a payment that takes days is in progress. Times are milliseconds since 1970.
 */
export const packsSchema: TableSchema = {
  name: 'packs',
  tables: ({ id, text, integer, end }) => `
    CREATE TABLE purchases (
      id ${id} PRIMARY KEY,
      account ${id} NOT NULL,
      credits ${integer} NOT NULL CHECK (credits > 0),
      amount ${integer} CHECK (amount > 0),
      currency ${text} NOT NULL,
      method ${text} NOT NULL CHECK (method IN ('hand', 'stripe')),
      status ${text} NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
      created_at ${integer} NOT NULL,
      submitted_at ${integer},
      paid_at ${integer},
      receipt ${integer} UNIQUE,
      company ${text},
      tax_number ${text},
      CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
      CHECK ((status = 'paid') = (receipt IS NOT NULL))
    ) ${end};
    CREATE INDEX purchases_of_account ON purchases (account, created_at, id);

    CREATE TABLE buyers (
      account ${id} PRIMARY KEY,
      company ${text} NOT NULL,
      tax_number ${text} NOT NULL
    ) ${end};
  `,
  directory: {
    version: 3,
    released: 1,
    // Accounts are deleted by a method, not a trigger. Receipts are numbered in order of payment.
    upgrade: () => `
      DROP TRIGGER IF EXISTS orders_of_nobody;
      ALTER TABLE purchases ADD COLUMN receipt INTEGER;
      ALTER TABLE purchases ADD COLUMN company TEXT;
      ALTER TABLE purchases ADD COLUMN tax_number TEXT;
      UPDATE purchases SET receipt = (
        SELECT count(*) FROM purchases AS earlier
        WHERE earlier.status = 'paid' AND (earlier.paid_at, earlier.id) <= (purchases.paid_at, purchases.id)
      ) WHERE status = 'paid';
      CREATE UNIQUE INDEX purchases_receipt ON purchases (receipt) WHERE receipt IS NOT NULL;
      CREATE TABLE buyers (account TEXT PRIMARY KEY, company TEXT NOT NULL, tax_number TEXT NOT NULL)
        STRICT, WITHOUT ROWID;
    `,
  },
  imports: { tables: [{ table: 'purchases' }, { table: 'buyers' }] },
};
