import { mayRunOut } from '../../../lib/config.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import { type CommandExtractor, type Context, configOf } from './context.js';

/** True if credits matter: a server charges them, or this machine has a limited number. */
export async function hasPrices(context: Context): Promise<boolean> {
  const config = await configOf(context);
  return config.baseUrl !== undefined || mayRunOut(config);
}

/** Returns the credits that calls may spend; null if unlimited. */
export async function spendableCredits(extractor: CommandExtractor): Promise<number | null> {
  if (!mayRunOut(extractor.config)) return null;
  return (await (await extractor.ledger()).balance(localAccount)).credits;
}
