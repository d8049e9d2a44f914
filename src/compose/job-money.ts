import { balancesOf } from '../../lib/ledger/postgres/balances.js';
import { failedInputs, releaseInputs, reserveInputs } from '../../lib/ledger/postgres/job-entries.js';
import { JobEntries } from '../../lib/ledger/sqlite/job-entries.js';
import type { LedgerDatabase } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { JobMoney } from '../service/jobs/job-money.js';

const reading: Pick<JobMoney, 'credits' | 'failed'> = {
  credits: async (queries, account) => (await balancesOf(queries, [account])).get(account)?.credits ?? 0,
  failed: failedInputs,
};

/** The money of jobs, by the ledger of a data directory. */
export function fileJobMoney({ db, owner }: LedgerDatabase): JobMoney {
  const entries = new JobEntries(db);
  return {
    ...reading,
    reserve: (_, wanted) => entries.reserve(wanted, owner),
    release: (_, job, account, code) => entries.release(job, account, code),
  };
}

/** The money of jobs, by the ledger of the database. `owner` names this process in the ledger's rows. */
export function ledgerJobMoney(owner: string): JobMoney {
  return {
    ...reading,
    reserve: (queries, wanted) => reserveInputs(queries, wanted, owner),
    release: releaseInputs,
  };
}
