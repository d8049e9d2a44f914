import path from 'node:path';
import type { Clock } from '../../lib/clock.js';
import { type Books, openLedger, type SqliteLedger } from '../../lib/ledger/sqlite-ledger.js';
import { cursorSecret } from '../../lib/secret.js';
import { accountsPart } from '../accounts/accounts-part.js';
import { alertsPart } from '../accounts/alerts/alerts-part.js';
import { Holders } from '../accounts/holders.js';
import { type KeyedDigest, keyedDigest } from '../accounts/keyed-digest.js';
import { packsPart } from '../accounts/packs/packs-part.js';
import { signInPart } from '../accounts/sign-in/sign-in-part.js';
import { SqliteAccounts } from '../accounts/sqlite-accounts.js';
import { jobsPart } from '../jobs/jobs-part.js';

/** The ledger of a data directory with the tables that the programs around the library keep in its file. */
export interface OpenBooks {
  readonly ledger: SqliteLedger;
  readonly books: Books;
  readonly holders: Holders;
  readonly accounts: SqliteAccounts;
  /** With the secret of the data directory. */
  readonly digest: KeyedDigest;
}

/** Opens the books of a data directory; who is done with them closes the ledger. */
export async function openBooks(home: string, clock: Clock, trialCredits: number): Promise<OpenBooks> {
  const parts = [accountsPart, jobsPart, signInPart, packsPart, alertsPart];
  const ledger = openLedger(path.join(home, 'ledger.db'), { clock, parts });
  try {
    const books = await ledger.books();
    const digest = keyedDigest(await cursorSecret(home));
    const holders = new Holders(books, digest, trialCredits);
    return { ledger, books, holders, digest, accounts: new SqliteAccounts(books, clock, holders) };
  } catch (cause) {
    await ledger.close();
    throw cause;
  }
}
