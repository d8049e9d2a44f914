import type { Queries } from '../../../lib/database/queries.js';
import type { Grant } from '../../../lib/ledger/ledger.js';

/** The credits of an account. */
interface AccountBalance {
  readonly credits: number;
  readonly bought: boolean;
}

/** A charge for everything that an account has left. */
interface Forfeit {
  /** Globally unique, like the id of a charge. */
  readonly id: string;
  readonly account: string;
  readonly endpoint: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The money of accounts, moved by the ledger in the transaction of the rows that explain it. */
export interface AccountMoney {
  /** Returns the credits of accounts by id. Unknown accounts are omitted. */
  balances(queries: Queries, accounts: readonly string[]): Promise<ReadonlyMap<string, AccountBalance>>;
  /** Adds credits. A grant whose id already exists changes nothing. */
  grant(queries: Queries, grant: Grant): Promise<void>;
  /** Charges and ends what an account has left, so that nothing can be spent. Does nothing if the balance is zero. */
  forfeit(queries: Queries, forfeit: Forfeit): Promise<void>;
}
