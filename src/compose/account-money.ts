import { balancesOf, lockBalances } from '../../lib/ledger/postgres/balances.js';
import { grant, pay } from '../../lib/ledger/postgres/entries.js';
import type { LedgerDatabase } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { AccountMoney } from '../service/accounts/account-money.js';

/** The money of accounts, by the ledger of a data directory. */
export function fileMoney({ entries, owner }: LedgerDatabase): AccountMoney {
  return {
    balances: balancesOf,
    async grant(_, given) {
      entries.grant(given);
    },
    async forfeit(_, { id, account, endpoint, at }) {
      const { credits } = entries.balance(account);
      if (credits > 0) entries.pay({ id, account, endpoint, credits, needsPack: false, at }, owner, at);
    },
  };
}

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
