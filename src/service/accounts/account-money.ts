import type { Queries } from '../../../lib/database/queries.js';
import type { Grant } from '../../../lib/ledger/ledger.js';

interface AccountBalance {
  readonly credits: number;
  readonly bought: boolean;
}

/** A charge for the entire balance of an account. */
interface Forfeit {
  readonly id: string;
  readonly account: string;
  readonly endpoint: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The accounts' money. The ledger moves it in the same transaction as the rows that explain it. */
export interface AccountMoney {
  /** Returns balances by account. Unknown accounts are omitted. */
  balances(queries: Queries, accounts: readonly string[]): Promise<ReadonlyMap<string, AccountBalance>>;
  /** Adds credits. Does nothing if the grant's id exists. */
  grant(queries: Queries, grant: Grant): Promise<void>;
  /** Charges the entire balance. Does nothing if it is zero. */
  forfeit(queries: Queries, forfeit: Forfeit): Promise<void>;
}
