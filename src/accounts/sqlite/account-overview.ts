import type { Database } from 'better-sqlite3';

/** An account as the operator sees it. */
export interface AccountLine {
  readonly id: string;
  readonly email: string;
  readonly verified: boolean;
  readonly credits: number;
  readonly bought: boolean;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  /** Of its last call or visit; null for an account that was never used. */
  readonly last_used_at: string | null;
}

interface Row extends Omit<AccountLine, 'verified' | 'bought' | 'created_at' | 'last_used_at'> {
  readonly verified_at: number | null;
  readonly bought: number;
  readonly created_at: number;
  readonly last_call: number | null;
  readonly last_visit: number | null;
}

const columns = `
  account AS id, email, verified_at, created_at,
  coalesce((SELECT balance FROM balances WHERE id = account), 0) AS credits,
  coalesce((SELECT bought FROM balances WHERE id = account), 0) AS bought,
  (SELECT max(created_at) FROM usage WHERE usage.account = holders.account AND status <> 'pending') AS last_call,
  (SELECT max(last_used_at) FROM sessions WHERE sessions.account = holders.account) AS last_visit`;

function shown({ verified_at, bought, created_at, last_call, last_visit, ...row }: Row): AccountLine {
  const last = Math.max(last_call ?? 0, last_visit ?? 0);
  return {
    ...row,
    verified: verified_at !== null,
    bought: bought === 1,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last === 0 ? null : new Date(last).toISOString(),
  };
}

/** All accounts, for the operator, however many there are. */
export class AccountOverview {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = {
      page: db.prepare<[string, string, number], Row>(
        `SELECT ${columns} FROM holders WHERE account < ? AND instr(email, ?) > 0 ORDER BY account DESC LIMIT ?`,
      ),
      one: db.prepare<[string], Row>(`SELECT ${columns} FROM holders WHERE account = ?`),
      count: db.prepare<[], number>('SELECT count(*) FROM holders').pluck(),
    };
  }

  count(): number {
    return this.#sql.count.get() ?? 0;
  }

  find(id: string): AccountLine | null {
    const row = this.#sql.one.get(id);
    return row === undefined ? null : shown(row);
  }

  /** Accounts whose address holds a text, newest first, before the account of that id; `next` goes on from there. */
  page(search: string, limit: number, before: string | undefined) {
    // Ids begin with their time, and “~” is behind all of them.
    const rows = this.#sql.page.all(before ?? '~', search.toLowerCase(), limit + 1);
    const accounts = rows.slice(0, limit).map(shown);
    return { accounts, next: rows.length > limit ? (accounts.at(-1)?.id ?? null) : null };
  }
}
