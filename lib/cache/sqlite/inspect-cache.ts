import { damageOf, openForLooking } from '../../sqlite/inspect-sqlite.js';
import { sqliteFault } from '../../sqlite/sqlite-fault.js';

/**
 * Looks at the file of the cache, and changes nothing: the damage found, empty for none. `whole` reads all of it. A file
 * that cannot be opened gives its fault's name.
 */
export async function inspectCache(
  file: string,
  whole: boolean,
): Promise<{ readonly damage: readonly string[]; readonly fault: string | null }> {
  try {
    const db = await openForLooking(file);
    try {
      return { damage: whole ? damageOf(db) : [], fault: null };
    } finally {
      db.close();
    }
  } catch (cause) {
    return { damage: [], fault: sqliteFault(cause) };
  }
}
