import { mayRunOut } from '../../../lib/config.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import { type CommandExtractor, type Context, configOf } from './context.js';

/** True if credits matter: a server charges them, or this machine has a limited number. */
export async function hasPrices(context: Context): Promise<boolean> {
  const config = await configOf(context);
  return config.baseUrl !== undefined || mayRunOut(config);
}

const isAboutCredits = (name: string) => name.startsWith('credits') || name.startsWith('balance_');

/** Formats what a run would take as JSON; without `priced`, credits and balances are left out. */
export function estimateJson(data: object, priced: boolean): string {
  const text = JSON.stringify({ data }, (name, value) =>
    !priced && isAboutCredits(name) ? undefined : value,
  );
  return `${text}\n`;
}

/** Returns the credits that calls may spend; null if unlimited. */
export async function spendableCredits(extractor: CommandExtractor): Promise<number | null> {
  if (!mayRunOut(extractor.config)) return null;
  return (await (await extractor.ledger()).balance(localAccount)).credits;
}
