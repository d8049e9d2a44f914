import type { Database } from '../../../lib/database/database.js';
import type { DaySpend } from '../../../lib/ledger/call-row.js';
import { monthOf } from '../../../lib/ledger/key-limit.js';
import { spentByKeys } from '../../../lib/ledger/key-months.js';
import { spendByDay } from '../../../lib/ledger/spend.js';
import {
  type PieceQuery,
  positionOfCall,
  spanOfCalls,
  type UsagePiece,
  usagePage,
  usagePiece,
  usageRow,
} from '../../../lib/ledger/usage.js';
import type { UsageRow } from '../../../lib/ledger/usage-row.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import { rowsPerRead, searchHistory } from './history-search.js';
import type { CallsByTimePage, CallsByTimeQuery, CallsPage, CallsQuery, DiskSpace } from './usage-queries.js';

const reads = {
  name: 'reads of the history',
  maxWaiting: 30,
  refusal:
    'This account makes too many simultaneous history requests. Wait for one answer before the next request.',
};

/**
 * Everything that people read about usage, in any database: the dashboard, the operator's pages and `GET /v1/usage`.
 * Methods change nothing. Each rejects with an error of the catalogue; reads of histories, one per account at a time,
 * reject `rate_limited` if the account has too many running.
 */
export class LedgerUsage {
  /** Returns the store's used and free space. Rejects if it cannot be measured. */
  readonly measureDiskSpace: () => Promise<DiskSpace>;
  readonly #database: Database;

  /** Only the opener knows how to measure, by the path of the database. */
  constructor(database: Database, measureDiskSpace: () => Promise<DiskSpace>) {
    this.#database = database;
    this.measureDiskSpace = measureDiskSpace;
  }

  /** Returns a page of an account's ended calls. Rejects `invalid_cursor` if `before` is not one of its calls. */
  listCalls(account: string, query: CallsQuery): Promise<CallsPage> {
    return accountTurns.run(reads, account, () => this.#listCalls(account, query));
  }

  async #listCalls(account: string, query: CallsQuery): Promise<CallsPage> {
    const { job, limit, before: id } = query;
    if (job !== undefined) return this.#database.read((queries) => usagePage(queries, account, query));
    const { span, before } = await this.#database.read(async (queries) => ({
      before: id === undefined ? undefined : await positionOfCall(queries, account, id),
      span: await spanOfCalls(queries, account, query),
    }));
    if (span === null) return { rows: [], next: null };
    // One more than requested, to know whether another page follows.
    const pieceQuery = { ...query, span, before, order: 'input', limit: limit + 1 } as const;
    const piece = await this.#search(account, pieceQuery);
    const rows = piece.rows.slice(0, limit);
    const isMore = piece.rows.length > limit;
    return { rows, next: (isMore ? rows.at(-1)?.id : piece.position?.id) ?? null };
  }

  /** Returns an account's ended calls by time and id, newest first. */
  listCallsByTime(account: string, query: CallsByTimeQuery): Promise<CallsByTimePage> {
    return accountTurns.run(reads, account, async () => {
      const span = await this.#database.read((queries) => spanOfCalls(queries, account, query));
      return span === null
        ? { rows: [], position: null }
        : this.#search(account, { ...query, span, order: 'id' });
    });
  }

  /** Returns one ended call of an account; null for none. */
  findCall(account: string, id: string): Promise<UsageRow | null> {
    return this.#database.read((queries) => usageRow(queries, account, id));
  }

  /**
   * Returns sums over an account's ended calls from `from` until before `to` (milliseconds since 1970), by day and
   * endpoint. `listCalls` and `sumByDay` always agree, except for archived calls, of which only sums remain.
   */
  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]> {
    return accountTurns.run(reads, account, () =>
      this.#database.read((queries) => spendByDay(queries, account, from, to)),
    );
  }

  /** Returns the credits charged to a key in the calendar month (UTC) of a time in milliseconds since 1970. */
  async sumKeyMonth(key: string, at: number): Promise<number> {
    const spent = await this.#database.read((queries) => spentByKeys(queries, [key], monthOf(at)));
    return spent.get(key) ?? 0;
  }

  /** Returns the time of an account's last ended call (ISO 8601 UTC); null for none. */
  async findLastCallAt(account: string): Promise<string | null> {
    const { rows } = await this.#listCalls(account, { limit: 1 });
    return rows[0]?.created_at ?? null;
  }

  #search(account: string, pieceQuery: PieceQuery): Promise<UsagePiece> {
    // A remote database has an index for each filter. A local one blocks the event loop while it searches.
    const rows = this.#database.isRemote ? null : rowsPerRead;
    return searchHistory(account, pieceQuery.limit, pieceQuery.before, (before, limit) =>
      this.#database.read((queries) => usagePiece(queries, account, { ...pieceQuery, before, limit }, rows)),
    );
  }
}

export type UsageQueries = Pick<LedgerUsage, keyof LedgerUsage>;
