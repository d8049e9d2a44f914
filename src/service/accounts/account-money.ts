import type { Queries } from '../../../lib/database/queries.js';
import type { Grant } from '../../../lib/ledger/ledger.js';

/** The credits of an account. */
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
  /** The credits of accounts, by their ids; an unknown account is left out. */
  balances(queries: Queries, accounts: readonly string[]): Promise<ReadonlyMap<string, AccountBalance>>;
  /** Adds credits; a grant whose id is there already changes nothing. */
  grant(queries: Queries, grant: Grant): Promise<void>;
  /** Charges and ends what an account has left, so that there is nothing to spend; nothing where nothing is left. */
  forfeit(queries: Queries, forfeit: Forfeit): Promise<void>;
}
