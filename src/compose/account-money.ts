import { balancesOf } from '../../lib/ledger/balances.js';
import { forfeit, grant } from '../../lib/ledger/entries.js';
import type { AccountMoney } from '../service/accounts/account-money.js';

/** The money of accounts, through the ledger. `owner` names this process in its rows. */
export function accountMoney(owner: string): AccountMoney {
  return {
    balances: balancesOf,
    async grant(queries, entry) {
      await grant(queries, entry);
    },
    forfeit: (queries, entry) => forfeit(queries, entry, owner),
  };
}
