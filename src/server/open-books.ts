import path from 'node:path';
import type { Clock } from '../../lib/clock.js';
import { openLedger, type SqliteLedger } from '../../lib/ledger/sqlite-ledger.js';
import { accountsPart } from '../accounts/accounts-part.js';
import { SqliteAccounts } from '../accounts/sqlite-accounts.js';
import { jobsPart } from '../jobs/jobs-part.js';

/** The ledger of a data directory with the tables that the programs around the library keep in its file. */
export interface OpenBooks {
  readonly ledger: SqliteLedger;
  readonly accounts: SqliteAccounts;
}

/** Opens the books of a data directory; who is done with them closes the ledger. */
export async function openBooks(home: string, clock: Clock, trialCredits: number): Promise<OpenBooks> {
  const ledger = openLedger(path.join(home, 'ledger.db'), { clock, parts: [accountsPart, jobsPart] });
  return { ledger, accounts: new SqliteAccounts(await ledger.books(), clock, trialCredits) };
}
