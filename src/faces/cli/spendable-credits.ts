import { mayRunOut } from '../../../lib/config.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import type { CommandExtractor } from './context.js';

/** The credits that calls may spend; null where credits do not run out. */
export async function spendableCredits(extractor: CommandExtractor): Promise<number | null> {
  if (!mayRunOut(extractor.config)) return null;
  return (await (await extractor.ledger()).balance(localAccount)).credits;
}
