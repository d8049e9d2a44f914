import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { OpenStore } from '../../compose/stores.js';
import { readDatabaseConfig } from '../../config/database-config.js';
import { readServerConfig } from '../../config/server-config.js';
import type { Account, Accounts } from '../../service/accounts/accounts.js';
import { type Context, withExtractor } from './context.js';
import { printable } from './printable.js';

/**
 * Runs work on the accounts of the database that is set, or of the data directory. A server may be running on either.
 */
export function withAccounts<T>(
  context: Context,
  work: (accounts: Accounts, opened: OpenStore, home: string) => Promise<T>,
): Promise<T> {
  return withExtractor(context, {}, async ({ config }) => {
    const { openStore } = await import('../../compose/open-store.js');
    const opened = await openStore(config.home, systemClock, readServerConfig().trialCredits);
    try {
      return await work(opened.accounts, opened, config.home);
    } finally {
      await opened.close();
    }
  });
}

/** Where the accounts are that commands change: the database that is set, without its password, or the directory. */
function accountsAddress(home: string): string {
  const { database } = readDatabaseConfig();
  if (database === undefined) return `the data directory ${home}`;
  const { host, pathname } = new URL(database.url);
  return `the database ${host}${pathname}`;
}

/**
 * Changes accounts, and says where: it is the mistake of an operator to change another directory than the server's. Work
 * that gives null found nothing to change.
 */
export async function changeAccounts<T>(
  context: Context,
  work: (accounts: Accounts, opened: OpenStore, home: string) => Promise<T>,
): Promise<T> {
  let changedIn = '';
  const changed = await withAccounts(context, async (accounts, opened, home) => {
    changedIn = accountsAddress(home);
    return work(accounts, opened, home);
  });
  if (changed === null) return changed;
  const message = printable(`Changed ${changedIn}.`);
  const { stderr } = context;
  // Programs read lines of JSON there, as those of warnings.
  const text = stderr.isTTY ? message : JSON.stringify({ note: { message } });
  await stderr.write(`${text}\n`).catch(() => undefined);
  return changed;
}

/** The account of an address. Throws `invalid_parameter` when there is none. */
export async function accountOf(accounts: Accounts, email: string): Promise<Account> {
  const account = await accounts.find(email);
  if (account === null) {
    throw new ExtractError('invalid_parameter', `There is no account for ${JSON.stringify(email)}.`);
  }
  return account;
}
