import { balanceOf } from '../../lib/ledger/balances.js';
import { checkReserve, failedInputs, releaseInputs, reserveInputs } from '../../lib/ledger/job-entries.js';
import type { JobMoney } from '../service/jobs/job-money.js';

/** The money of jobs, through the ledger. `owner` names this process in its rows. */
export function jobMoney(owner: string): JobMoney {
  return {
    credits: async (queries, account) => (await balanceOf(queries, account)).credits,
    failed: failedInputs,
    check: checkReserve,
    reserve: (queries, wanted) => reserveInputs(queries, wanted, owner),
    release: releaseInputs,
  };
}
