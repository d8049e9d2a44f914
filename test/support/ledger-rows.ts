import { StorageError } from '../../lib/errors/storage-error.js';
import type { Charge, Grant } from '../../lib/ledger/ledger.js';
import type { Postgres } from '../../lib/postgres/postgres.js';
import type { Queries } from '../../lib/postgres/queries.js';
import type { AccountMoney } from '../../src/accounts/postgres/account-money.js';

interface BalanceRow {
  readonly id: string;
  readonly balance: number;
  readonly bought: boolean;
}

/** Makes a paid row and takes its price; rejects where there is too little. */
async function pay(queries: Queries, { id, account, endpoint, credits, at }: Charge): Promise<number> {
  const left = await queries.first<BalanceRow>(
    'UPDATE balances SET balance = balance - $1 WHERE id = $2 RETURNING *',
    [credits, account],
  );
  await queries.run(
    `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, cached)
     VALUES ($1, $2, $3, $3, $4, 'ok', $5, true)`,
    [id, account, at, endpoint, credits],
  );
  return left?.balance ?? 0;
}

/** The ledger's part in transactions of accounts, written straight into its tables. */
export const ledgerRows: AccountMoney = {
  async balances(queries, accounts) {
    const rows = await queries.rows<BalanceRow>('SELECT * FROM balances WHERE id = ANY ($1)', [accounts]);
    return new Map(rows.map(({ id, balance, bought }) => [id, { credits: balance, bought }]));
  },
  async grant(queries, { id, account, credits, kind, at }) {
    const time = Date.parse(at);
    const added = await queries.run(
      'INSERT INTO grants (id, account, credits, kind, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
      [id, account, credits, kind, time],
    );
    if (added === 0) return;
    await queries.run(
      `INSERT INTO balances (id, balance, bought, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET balance = balances.balance + $2, bought = balances.bought OR $3`,
      [account, credits, kind === 'pack', time],
    );
  },
  async forfeit(queries, { id, account, endpoint, at }) {
    const row = await queries.first<BalanceRow>('SELECT * FROM balances WHERE id = $1 FOR UPDATE', [account]);
    if (row === undefined || row.balance === 0) return;
    await pay(queries, { id, account, endpoint, credits: row.balance, needsPack: false, at });
  },
};

/** The money of a database, for tests that grant and spend. */
export function moneyOf(postgres: Postgres) {
  return {
    grant: (grant: Grant) => postgres.transaction((queries) => ledgerRows.grant(queries, grant)),
    async pay(charge: Charge): Promise<void> {
      await postgres
        .transaction((queries) => pay(queries, charge))
        .catch((cause) => {
          // The table refuses a balance below zero.
          if (!(cause instanceof StorageError)) throw cause;
        });
    },
    async credits(account: string): Promise<number> {
      const all = await postgres.read((queries) => ledgerRows.balances(queries, [account]));
      return all.get(account)?.credits ?? 0;
    },
  };
}
