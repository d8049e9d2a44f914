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
import { rowsPerRead, searchHistory } from './history-search.js';
import type {
  CallsByTimePage,
  CallsByTimeQuery,
  CallsPage,
  CallsQuery,
  DiskSpace,
  UsageQueries,
} from './usage-queries.js';

/** The `UsageQueries` of the ledger, in any database. */
export class LedgerUsage implements UsageQueries {
  readonly measureDiskSpace: () => Promise<DiskSpace>;
  readonly #database: Database;

  /** `measureDiskSpace` implements the port's method, because only the opener knows the path of the database. */
  constructor(database: Database, measureDiskSpace: () => Promise<DiskSpace>) {
    this.#database = database;
    this.measureDiskSpace = measureDiskSpace;
  }

  async listCalls(account: string, query: CallsQuery): Promise<CallsPage> {
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

  async listCallsByTime(account: string, query: CallsByTimeQuery): Promise<CallsByTimePage> {
    const span = await this.#database.read((queries) => spanOfCalls(queries, account, query));
    if (span === null) return { rows: [], position: null };
    return this.#search(account, { ...query, span, order: 'id' });
  }

  findCall(account: string, id: string): Promise<UsageRow | null> {
    return this.#database.read((queries) => usageRow(queries, account, id));
  }

  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]> {
    return this.#database.read((queries) => spendByDay(queries, account, from, to));
  }

  async sumKeyMonth(key: string, at: number): Promise<number> {
    const spent = await this.#database.read((queries) => spentByKeys(queries, [key], monthOf(at)));
    return spent.get(key) ?? 0;
  }

  async findLastCallAt(account: string): Promise<string | null> {
    const { rows } = await this.listCalls(account, { limit: 1 });
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
