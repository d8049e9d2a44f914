import { balancesOf, lockBalances } from '../../../lib/ledger/postgres/balances.js';
import { grant, pay } from '../../../lib/ledger/postgres/entries.js';
import type { AccountMoney } from './account-money.js';

/** The money of accounts, by the ledger of the database. `owner` names this process in the ledger's rows. */
export function ledgerMoney(owner: string): AccountMoney {
  return {
    balances: balancesOf,
    async grant(queries, given) {
      await grant(queries, given);
    },
    async forfeit(queries, { id, account, endpoint, at }) {
      const [balance] = await lockBalances(queries, [account]);
      if (balance === undefined || balance.credits === 0) return;
      const charge = { id, account, endpoint, credits: balance.credits, needsPack: false, at };
      await pay(queries, charge, owner, at);
    },
  };
}
