import type { Grant } from '../../../lib/ledger/ledger.js';
import { balancesOf, lockBalances } from '../../../lib/ledger/postgres/balances.js';
import { grant, pay } from '../../../lib/ledger/postgres/entries.js';
import type { Queries } from '../../../lib/postgres/queries.js';

/** What an account has. */
interface AccountBalance {
  readonly credits: number;
  readonly bought: boolean;
}

/** A charge of all that an account has left. */
interface Forfeit {
  /** Unique for ever, as that of a charge. */
  readonly id: string;
  readonly account: string;
  readonly endpoint: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The money of accounts, moved by the ledger in the transaction of the rows that say why. */
export interface AccountMoney {
  /** What accounts have, by their ids; one that is not known has nothing and is left out. */
  balances(queries: Queries, accounts: readonly string[]): Promise<ReadonlyMap<string, AccountBalance>>;
  /** Adds credits; a grant whose id is there already changes nothing. */
  grant(queries: Queries, grant: Grant): Promise<void>;
  /** Charges and ends what an account has left, so that there is nothing to spend; nothing where nothing is left. */
  forfeit(queries: Queries, forfeit: Forfeit): Promise<void>;
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
