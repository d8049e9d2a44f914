import { openForLooking } from '../../../../lib/database/sqlite/inspect-sqlite.js';
import { queriesOn } from '../../../../lib/database/sqlite/sqlite-queries.js';
import { checkChain } from '../check-chain.js';

/**
 * Looks at the audit log in the file of a ledger, and changes nothing. Resolves with its first fault as a sentence;
 * null where it is whole, or not there yet. Throws what the driver throws for a file that cannot be opened.
 */
export async function inspectAudit(file: string): Promise<string | null> {
  const db = await openForLooking(file);
  try {
    const table = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit_acts'`);
    return table.get() === undefined ? null : await checkChain(queriesOn(db));
  } finally {
    db.close();
  }
}
