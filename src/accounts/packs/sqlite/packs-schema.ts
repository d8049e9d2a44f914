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
  ],
};
