import type { UsageRow } from '../../../lib/ledger/ledger.js';
import { ledgerFault } from '../../../lib/ledger/ledger-fault.js';
import { spendByDay } from '../../../lib/ledger/sqlite/spend.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { usagePage, usageRow } from '../../../lib/ledger/sqlite/usage.js';
import { AccountOverview } from '../../accounts/account-overview.js';
import type { Accounts } from '../../accounts/accounts.js';
import type { SignIn } from '../../accounts/sign-in/sign-in.js';
import type { JobStore } from '../../jobs/job-store.js';
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
import { diskSpace } from './disk-space.js';

export interface SqliteUsageQueriesOptions {
  readonly books: LedgerDatabase;
  /** The data directory. */
  readonly home: string;
  readonly accounts: Accounts;
  readonly sessions: Pick<SignIn, 'lastUsedAt'>;
  readonly jobs: Pick<JobStore, 'overview'>;
}

/** The `UsageQueries` of a data directory: the ledger's own queries, and what accounts and jobs tell of theirs. */
export class SqliteUsageQueries implements UsageQueries {
  readonly #db: LedgerDatabase['db'];
  readonly #home: string;
  readonly #allAccounts: Accounts;
  readonly #accounts: AccountOverview;
  readonly #jobs: SqliteUsageQueriesOptions['jobs'];

  constructor({ books, home, accounts, sessions, jobs }: SqliteUsageQueriesOptions) {
    this.#db = books.db;
    this.#home = home;
    this.#allAccounts = accounts;
    this.#jobs = jobs;
    this.#accounts = new AccountOverview({
      accounts,
      signIn: sessions,
      lastCallAt: async (account) => (await this.calls(account, { limit: 1 })).rows[0]?.created_at ?? null,
    });
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
    return this.#accounts.page(search, limit, before);
  }

  account(id: string): Promise<AccountLine | null> {
    return this.#accounts.find(id);
  }

  countAccounts(): Promise<number> {
    return this.#accounts.count();
  }

  async unfinishedJobs(limit: number): Promise<readonly JobLine[]> {
    const { oldest } = await this.#jobs.overview(limit);
    const lines = oldest.map(async ({ job, account }) => {
      const owner = await this.#allAccounts.get(account);
      return { job, account, email: owner?.email ?? null };
    });
    return Promise.all(lines);
  }

  async countUnfinishedJobs(): Promise<number> {
    return (await this.#jobs.overview(0)).total;
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
