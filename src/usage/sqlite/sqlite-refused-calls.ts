import type { TableSchema } from '../../../lib/ledger/sqlite/migration.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { type Clock, dayMs } from '../../../lib/runtime/clock.js';
import { NotedCalls, type RefusedRow, refusedCallOf, refusedConditions } from '../noted-calls.js';
import {
  maxRefusedCalls,
  type RefusedCall,
  type RefusedCalls,
  type RefusedQuery,
  refusedCallDays,
} from '../refused-calls.js';

/** Calls that were refused before they were charged. `created_at` is in milliseconds since 1970. */
export const refusedCallsSchema: TableSchema = {
  name: 'refused calls',
  steps: [
    `
    CREATE TABLE refused_calls (
      account TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      id TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      code TEXT NOT NULL,
      key_id TEXT,
      key_name TEXT,
      duration_ms INTEGER,
      PRIMARY KEY (account, created_at, id)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};

/** The `RefusedCalls` in the file of the ledger: a second's worth is written at once, however many callers are refused. */
export class SqliteRefusedCalls implements RefusedCalls {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #sql;
  readonly #noted: NotedCalls;

  constructor(database: LedgerDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#noted = new NotedCalls(clock, () => void this.flush());
    const { db } = database;
    this.#sql = {
      insert: db.prepare<(string | number | null)[]>(
        `INSERT OR IGNORE INTO refused_calls (account, created_at, id, endpoint, code, key_id, key_name, duration_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      drop: db.prepare<[string, number, string, number]>(
        `DELETE FROM refused_calls WHERE account = ? AND (created_at < ? OR (created_at, id) < (
           SELECT created_at, id FROM refused_calls WHERE account = ?
           ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?))`,
      ),
      find: db.prepare<[string, string], RefusedRow>(
        'SELECT * FROM refused_calls WHERE account = ? AND id = ?',
      ),
      forget: db.prepare<[string]>('DELETE FROM refused_calls WHERE account = ?'),
    };
  }

  note(call: RefusedCall): void {
    this.#noted.add(call);
  }

  async list(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]> {
    await this.flush();
    const conditions = refusedConditions(account, query);
    const where = conditions.map(([condition]) => condition).join(' AND ');
    const values = conditions.flatMap(([, ...some]) => some);
    return this.#database.read(() =>
      this.#database.db
        .prepare<(string | number)[], RefusedRow>(
          `SELECT * FROM refused_calls WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ?`,
        )
        .all(...values, query.limit)
        .map(refusedCallOf),
    );
  }

  async find(account: string, id: string): Promise<RefusedCall | null> {
    await this.flush();
    const row = await this.#database.read(() => this.#sql.find.get(account, id));
    return row === undefined ? null : refusedCallOf(row);
  }

  async flush(): Promise<void> {
    const waiting = this.#noted.take();
    if (waiting.size === 0) return;
    // What cannot be written is lost: no call and no page fails by it.
    await this.#database.write(() => this.#write(waiting)).catch(() => undefined);
  }

  deleteAccount({ account }: { readonly account: string }): void {
    this.#noted.deleteAccount(account);
    this.#sql.forget.run(account);
  }

  #write(waiting: ReadonlyMap<string, readonly RefusedCall[]>): void {
    for (const [account, calls] of waiting) {
      for (const { id, created_at, endpoint, code, api_key, duration_ms } of calls) {
        const at = Date.parse(created_at);
        this.#sql.insert.run(
          account,
          at,
          id,
          endpoint,
          code,
          api_key?.id ?? null,
          api_key?.name ?? null,
          duration_ms,
        );
      }
      const oldest = this.#clock.now() - refusedCallDays * dayMs;
      this.#sql.drop.run(account, oldest, account, maxRefusedCalls - 1);
    }
  }
}
