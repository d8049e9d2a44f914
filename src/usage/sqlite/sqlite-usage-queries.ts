import type { UsageRow } from '../../../lib/ledger/ledger.js';
import { ledgerFault } from '../../../lib/ledger/ledger-fault.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { usagePage, usageRow } from '../../../lib/ledger/sqlite/usage.js';
import type {
  AccountLine,
  AccountsPage,
  CallsPage,
  CallsQuery,
  DaySpend,
  DiskSpace,
  JobLine,
  UsageQueries,
} from '../usage-queries.js';
import { AccountOverview } from './account-overview.js';
import { diskSpace } from './disk-space.js';
import { JobOverview } from './job-overview.js';
import { spendByDay } from './spend.js';

/** The `UsageQueries` of a data directory, over the file of its ledger. */
export class SqliteUsageQueries implements UsageQueries {
  readonly #db: LedgerDatabase['db'];
  readonly #home: string;
  readonly #accounts: AccountOverview;
  readonly #jobs: JobOverview;

  /** `home` is the data directory. */
  constructor({ db }: LedgerDatabase, home: string) {
    this.#db = db;
    this.#home = home;
    this.#accounts = new AccountOverview(db);
    this.#jobs = new JobOverview(db);
  }

  calls(account: string, query: CallsQuery): Promise<CallsPage> {
    return read(() => usagePage(this.#db, account, query));
  }

  call(account: string, id: string): Promise<UsageRow | null> {
    return read(() => usageRow(this.#db, account, id));
  }

  spendByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]> {
    return read(() => spendByDay(this.#db, account, from, to));
  }

  accounts(search: string, limit: number, before: string | undefined): Promise<AccountsPage> {
    return read(() => this.#accounts.page(search, limit, before));
  }

  account(id: string): Promise<AccountLine | null> {
    return read(() => this.#accounts.find(id));
  }

  countAccounts(): Promise<number> {
    return read(() => this.#accounts.count());
  }

  unfinishedJobs(limit: number): Promise<readonly JobLine[]> {
    return read(() => this.#jobs.first(limit));
  }

  countUnfinishedJobs(): Promise<number> {
    return read(() => this.#jobs.count());
  }

  diskSpace(): Promise<DiskSpace> {
    return diskSpace(this.#home);
  }
}

/** Runs a query; a fault of the driver becomes an error of the catalogue. */
async function read<Result>(query: () => Result): Promise<Result> {
  try {
    return query();
  } catch (cause) {
    throw ledgerFault(cause);
  }
}
