import type { TableSchema } from '../../../../lib/ledger/sqlite/migration.js';

/**
 * Orders of packs, and with `paid_at` their receipts. They outlive the account, under its id alone. `submitted_at` is
 * set when a payment is on its way that takes days. Times are milliseconds since 1970.
 */
export const packsSchema: TableSchema = {
  name: 'packs',
  steps: [
    `
    CREATE TABLE purchases (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL,
      credits INTEGER NOT NULL CHECK (credits > 0),
      amount INTEGER CHECK (amount > 0),
      currency TEXT NOT NULL,
      method TEXT NOT NULL CHECK (method IN ('hand', 'stripe')),
      status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
      created_at INTEGER NOT NULL,
      submitted_at INTEGER,
      paid_at INTEGER,
      CHECK ((status = 'paid') = (paid_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX purchases_of_account ON purchases (account, created_at, id);
    `,
    // Older files: a trigger on the users. Deleting an account is a method now.
    'DROP TRIGGER IF EXISTS orders_of_nobody;',
    // Receipts are numbered in the order in which they were paid, without a gap.
    `
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
  ],
};
