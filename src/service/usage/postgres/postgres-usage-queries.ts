import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import type { DaySpend } from '../../../../lib/ledger/call-row.js';
import { monthOf } from '../../../../lib/ledger/key-limit.js';
import type { UsageRow } from '../../../../lib/ledger/ledger.js';
import { spentByKeys } from '../../../../lib/ledger/postgres/key-months.js';
import { callsByTime, lastEnded, usagePage, usageRow } from '../../../../lib/ledger/postgres/usage.js';
import { spendByDay } from '../../../../lib/ledger/spend.js';
import type {
  CallsByTimePage,
  CallsByTimeQuery,
  CallsPage,
  CallsQuery,
  DiskSpace,
  UsageQueries,
} from '../usage-queries.js';

/** Measures the space that the database takes, and the disk on which this process keeps files. Rejects where it cannot. */
export type MeasureDisk = () => Promise<Omit<DiskSpace, 'ledger'>>;

/** The `UsageQueries` of a PostgreSQL database. */
export class PostgresUsageQueries implements UsageQueries {
  readonly #postgres: Postgres;
  readonly #measureDisk: MeasureDisk;

  /** `measureDisk` measures the disk of this machine. The database does not say how much is left on its own. */
  constructor(postgres: Postgres, measureDisk: MeasureDisk) {
    this.#postgres = postgres;
    this.#measureDisk = measureDisk;
  }

  listCalls(account: string, query: CallsQuery): Promise<CallsPage> {
    return this.#postgres.read((queries) => usagePage(queries, account, query));
  }

  async listCallsByTime(account: string, query: CallsByTimeQuery): Promise<CallsByTimePage> {
    const rows = await this.#postgres.read((queries) => callsByTime(queries, account, query));
    return { rows, reached: null };
  }

  findCall(account: string, id: string): Promise<UsageRow | null> {
    return this.#postgres.read((queries) => usageRow(queries, account, id));
  }

  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]> {
    return this.#postgres.read((queries) => spendByDay(queries, account, from, to));
  }

  async sumKeyMonth(key: string, at: number): Promise<number> {
    const spent = await this.#postgres.read((queries) => spentByKeys(queries, [key], monthOf(at)));
    return spent.get(key) ?? 0;
  }

  async findLastCallAt(account: string): Promise<string | null> {
    const at = await this.#postgres.read((queries) => lastEnded(queries, account));
    return at === null ? null : new Date(at).toISOString();
  }

  async measureDiskSpace(): Promise<DiskSpace> {
    const size = 'SELECT pg_database_size(current_database()) AS bytes';
    const [disk, found] = await Promise.all([
      this.#measureDisk(),
      this.#postgres.read((queries) => queries.first<{ readonly bytes: number }>(size)),
    ]);
    return { ...disk, ledger: found?.bytes ?? 0 };
  }
}
