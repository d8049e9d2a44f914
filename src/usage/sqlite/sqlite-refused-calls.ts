import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { type Clock, dayMs } from '../../../lib/runtime/clock.js';
import {
  maxRefusedCalls,
  type RefusedCall,
  type RefusedCalls,
  type RefusedQuery,
  refusedCallDays,
} from '../refused-calls.js';

interface Row {
  readonly id: string;
  readonly account: string;
  readonly created_at: number;
  readonly endpoint: string;
  readonly code: ErrorCode;
  readonly key_id: string | null;
  readonly key_name: string | null;
  readonly duration_ms: number | null;
}

/** Milliseconds that noted calls wait for others before they are written. */
const writeMs = 1_000;

function toCall({ created_at, key_id, key_name, ...row }: Row): RefusedCall {
  return {
    ...row,
    created_at: new Date(created_at).toISOString(),
    api_key: key_id === null ? null : { id: key_id, name: key_name ?? '' },
  };
}

/** The `RefusedCalls` in the file of the ledger: a second's worth is written at once, however many callers are refused. */
export class SqliteRefusedCalls implements RefusedCalls {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #sql;
  /** Noted and not yet written, by account. */
  #waiting = new Map<string, RefusedCall[]>();
  #disarm: (() => void) | undefined;

  constructor(database: LedgerDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
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
      find: db.prepare<[string, string], Row>('SELECT * FROM refused_calls WHERE account = ? AND id = ?'),
      forget: db.prepare<[string]>('DELETE FROM refused_calls WHERE account = ?'),
    };
  }

  note(call: RefusedCall): void {
    const calls = this.#waiting.get(call.account) ?? [];
    calls.push(call);
    if (calls.length > maxRefusedCalls) calls.shift();
    this.#waiting.set(call.account, calls);
    this.#disarm ??= this.#clock.alarm(writeMs, () => void this.flush(), false);
  }

  async page(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]> {
    await this.flush();
    const conditions = ['account = ?'];
    const values: (string | number)[] = [account];
    const where = (condition: string, ...given: readonly (string | number)[]) => {
      conditions.push(condition);
      values.push(...given);
    };
    const { before, endpoint, key, code, from, to, limit } = query;
    if (before !== undefined) where('(created_at, id) < (?, ?)', before.at, before.id);
    if (endpoint !== undefined) where('endpoint = ?', endpoint);
    if (key !== undefined) where('key_id = ?', key);
    if (code !== undefined) where('code = ?', code);
    if (from !== undefined) where('created_at >= ?', Date.parse(from));
    if (to !== undefined) where('created_at < ?', Date.parse(to));
    return this.#database.read(() =>
      this.#database.db
        .prepare<(string | number)[], Row>(
          `SELECT * FROM refused_calls WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ?`,
        )
        .all(...values, limit)
        .map(toCall),
    );
  }

  async find(account: string, id: string): Promise<RefusedCall | null> {
    await this.flush();
    const row = await this.#database.read(() => this.#sql.find.get(account, id));
    return row === undefined ? null : toCall(row);
  }

  async flush(): Promise<void> {
    this.#disarm?.();
    this.#disarm = undefined;
    const waiting = this.#waiting;
    if (waiting.size === 0) return;
    this.#waiting = new Map();
    // What cannot be written is lost: no call and no page fails by it.
    await this.#database.write(() => this.#write(waiting)).catch(() => undefined);
  }

  deleteAccount({ account }: { readonly account: string }): void {
    this.#waiting.delete(account);
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
