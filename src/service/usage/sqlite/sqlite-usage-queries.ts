import path from 'node:path';
import { areSummed, daysOfCalls } from '../../../../lib/ledger/call-days.js';
import type { CallFilters, DaySpend } from '../../../../lib/ledger/call-row.js';
import type { UsageRow } from '../../../../lib/ledger/ledger.js';
import { spendByDay } from '../../../../lib/ledger/spend.js';
import { callsByTime } from '../../../../lib/ledger/sqlite/calls-by-time.js';
import { KeyMonths } from '../../../../lib/ledger/sqlite/key-months.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { usagePage, usagePiece, usageRow } from '../../../../lib/ledger/sqlite/usage.js';
import { rowsPerRead, searchHistory } from '../history-search.js';
import { bytesOf, measureDisk } from '../measure-disk.js';
import type {
  CallsByTimePage,
  CallsByTimeQuery,
  CallsPage,
  CallsQuery,
  DiskSpace,
  UsageQueries,
} from '../usage-queries.js';

/** The `UsageQueries` of a data directory, over the file of its ledger. */
export class SqliteUsageQueries implements UsageQueries {
  readonly #ledger: LedgerDatabase;
  readonly #home: string;
  readonly #months: KeyMonths;

  /** `home` is the data directory. */
  constructor(ledger: LedgerDatabase, home: string) {
    this.#ledger = ledger;
    this.#home = home;
    this.#months = new KeyMonths(ledger.db);
  }

  async listCalls(account: string, query: CallsQuery): Promise<CallsPage> {
    const { db } = this.#ledger;
    if (query.job !== undefined) return this.#ledger.read(() => usagePage(db, account, query));
    const within = await this.#withinDays(account, query);
    if (within === null) return { rows: [], next: null };
    const { limit } = query;
    // One more than is asked for tells whether there is a further page.
    const found = await searchHistory(limit + 1, query.before, (before, rest) =>
      this.#ledger.read(() => usagePiece(db, account, { ...within, before, limit: rest }, rowsPerRead)),
    );
    const rows = found.rows.slice(0, limit);
    const isMore = found.rows.length > limit;
    return { rows, next: isMore ? (rows.at(-1)?.id ?? null) : found.reached };
  }

  async listCallsByTime(account: string, query: CallsByTimeQuery): Promise<CallsByTimePage> {
    const { db } = this.#ledger;
    const within = await this.#withinDays(account, query);
    if (within === null) return { rows: [], reached: null };
    return searchHistory(query.limit, query.before, (before, limit) =>
      this.#ledger.read(() => callsByTime(db, account, { ...within, limit }, { before, rows: rowsPerRead })),
    );
  }

  findCall(account: string, id: string): Promise<UsageRow | null> {
    return this.#ledger.read(() => usageRow(this.#ledger.db, account, id));
  }

  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]> {
    return this.#ledger.stores.read((queries) => spendByDay(queries, account, from, to));
  }

  sumKeyMonth(key: string, at: number): Promise<number> {
    return this.#ledger.read(() => this.#months.spent(key, at));
  }

  async findLastCallAt(account: string): Promise<string | null> {
    const { rows } = await this.listCalls(account, { limit: 1 });
    return rows[0]?.created_at ?? null;
  }

  async measureDiskSpace(): Promise<DiskSpace> {
    const [disk, ledger] = await Promise.all([
      measureDisk(this.#home),
      bytesOf(path.join(this.#home, 'ledger.db')),
    ]);
    return { ...disk, ledger };
  }

  /** A query with the days on which what it asks for was made at all; null where it never was. */
  async #withinDays<Query extends CallFilters>(account: string, query: Query): Promise<Query | null> {
    if (!areSummed(query)) return query;
    const days = await this.#ledger.stores.read((queries) => daysOfCalls(queries, account, query));
    if (days === null) return null;
    const { from, to } = query;
    const iso = (time: number) => new Date(time).toISOString();
    const laterOf = from === undefined || Date.parse(from) < days.from ? iso(days.from) : from;
    const soonerOf = to === undefined || Date.parse(to) > days.to ? iso(days.to) : to;
    return { ...query, from: laterOf, to: soonerOf };
  }
}
