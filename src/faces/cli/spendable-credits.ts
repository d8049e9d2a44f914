import { mayRunOut } from '../../../lib/config.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import type { CommandExtractor } from './context.js';

/** Returns the credits that calls may spend; null if they are unlimited. */
export async function spendableCredits(extractor: CommandExtractor): Promise<number | null> {
  if (!mayRunOut(extractor.config)) return null;
  return (await (await extractor.ledger()).balance(localAccount)).credits;
}
