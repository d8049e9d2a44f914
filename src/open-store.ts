import path from 'node:path';
import { type LedgerDatabase, openLedger, type SqliteLedger } from '../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../lib/runtime/clock.js';
import { cursorSecret } from '../lib/runtime/secret.js';
import { alertsPart } from './accounts/alerts/sqlite/alerts-schema.js';
import { type KeyedDigest, keyedDigest } from './accounts/keyed-digest.js';
import { packsPart } from './accounts/packs/sqlite/packs-schema.js';
import { signInPart } from './accounts/sign-in/sqlite/sign-in-schema.js';
import { accountsPart } from './accounts/sqlite/accounts-schema.js';
import { SqliteAccounts } from './accounts/sqlite/sqlite-accounts.js';
import { Users } from './accounts/sqlite/users.js';
import { jobsPart } from './jobs/sqlite/jobs-schema.js';

/** The ledger of a data directory with the tables that the programs around the library keep in its file. */
export interface OpenStore {
  readonly ledger: SqliteLedger;
  readonly books: LedgerDatabase;
  readonly holders: Users;
  readonly accounts: SqliteAccounts;
  /** With the secret of the data directory. */
  readonly digest: KeyedDigest;
}

/** Opens the books of a data directory; who is done with them closes the ledger. */
export async function openStore(home: string, clock: Clock, trialCredits: number): Promise<OpenStore> {
  const parts = [accountsPart, jobsPart, signInPart, packsPart, alertsPart];
  const ledger = openLedger(path.join(home, 'ledger.db'), { clock, schemas: parts });
  try {
    const books = await ledger.books();
    const digest = keyedDigest(await cursorSecret(home));
    const holders = new Users(books, digest, trialCredits);
    return { ledger, books, holders, digest, accounts: new SqliteAccounts(books, clock, holders) };
  } catch (cause) {
    await ledger.close();
    throw cause;
  }
}
