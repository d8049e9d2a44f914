import type { Config } from '../../../lib/config.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { OpenStore } from '../../compose/stores.js';
import { readServerConfig } from '../../config/server-config.js';
import type { AccountStore } from '../../service/accounts/account-store.js';
import type { Account } from '../../service/accounts/accounts.js';
import { commandOperator } from './command-operator.js';
import { type Context, configOf } from './context.js';
import { stateText, tellChange } from './tell-change.js';

/**
 * Runs work on the accounts of the configured database, or of the data directory. A server may be running on either.
 */
export async function withAccounts<T>(
  context: Context,
  work: (accounts: AccountStore, opened: OpenStore, config: Config) => Promise<T>,
): Promise<T> {
  const config = await configOf(context);
  const { trialCredits } = readServerConfig();
  const { openStore } = await import('../../compose/open-store.js');
  const store = await openStore(config.home, systemClock, trialCredits, commandOperator());
  try {
    return await work(store.accounts, store, config);
  } finally {
    await store.close();
  }
}

/** Changes accounts, and says where; `isChanged` tells from the result whether anything changed. */
export async function changeAccounts<T>(
  context: Context,
  work: (accounts: AccountStore, opened: OpenStore, config: Config) => Promise<T>,
  isChanged: (result: T) => boolean = (result) => result !== null,
): Promise<T> {
  let changedIn = '';
  const result = await withAccounts(context, async (accounts, store, config) => {
    changedIn = stateText(config.home);
    return work(accounts, store, config);
  });
  if (isChanged(result)) await tellChange(context, changedIn);
  return result;
}

/** Returns the account of an email address. Throws `invalid_parameter` if there is none. */
export async function accountOf(accounts: AccountStore, email: string): Promise<Account> {
  const account = await accounts.find(email);
  if (account === null) {
    throw new ExtractError('invalid_parameter', `No account for ${JSON.stringify(email)}.`);
  }
  return account;
}
