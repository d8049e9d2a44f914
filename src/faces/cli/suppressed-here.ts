import { existsSync } from 'node:fs';
import path from 'node:path';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { readDatabaseConfig } from '../../config/database-config.js';
import { type Context, configOf } from './context.js';
import { withAccounts } from './with-accounts.js';

/** Returns the suppressed subjects of the data directory or database; null if there are none. */
export async function suppressedHere(context: Context): Promise<SuppressedSubjects | null> {
  const { home } = await configOf(context);
  const isStore = readDatabaseConfig().database !== undefined || existsSync(path.join(home, 'ledger.db'));
  if (!isStore) return null;
  const list = await withAccounts(context, (_, { suppressions }) => suppressions.list());
  return list.length === 0 ? null : new SuppressedSubjects(list);
}
