import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { DaySpend } from '../../../../lib/ledger/call-row.js';
import type { UsageRow } from '../../../../lib/ledger/ledger.js';
import { callsByTime } from '../../../../lib/ledger/sqlite/calls-by-time.js';
import { KeyMonths } from '../../../../lib/ledger/sqlite/key-months.js';
import { spendByDay } from '../../../../lib/ledger/sqlite/spend.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { usagePage, usageRow } from '../../../../lib/ledger/sqlite/usage.js';
import { bytesOf, measureDisk } from '../measure-disk.js';
import type { CallsByTimeQuery, CallsPage, CallsQuery, DiskSpace, UsageQueries } from '../usage-queries.js';

/** Rows that one read looks at: 3 ms (2026-11); between two reads others have their turn. */
const rowsPerRead = 5_000;

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

  listCalls(account: string, query: CallsQuery): Promise<CallsPage> {
    return this.#ledger.read(() => usagePage(this.#ledger.db, account, query));
  }

  async listCallsByTime(account: string, query: CallsByTimeQuery): Promise<readonly UsageRow[]> {
    const found: UsageRow[] = [];
    let { before } = query;
    for (;;) {
      const limit = query.limit - found.length;
      const { rows, reached } = await this.#ledger.read(() =>
        callsByTime(this.#ledger.db, account, { ...query, limit }, { before, rows: rowsPerRead }),
      );
      found.push(...rows);
      if (reached === null || found.length === query.limit) return found;
      before = reached;
      await setImmediate();
    }
  }

  findCall(account: string, id: string): Promise<UsageRow | null> {
    return this.#ledger.read(() => usageRow(this.#ledger.db, account, id));
  }

  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]> {
    return this.#ledger.read(() => spendByDay(this.#ledger.db, account, from, to));
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
}
