import type { Database } from '../../../lib/database/database.js';
import { type ArchivedCall, usageArchivePositionOf } from '../../../lib/ledger/call-row.js';
import { archiveCalls, archivePage, holdsCall } from '../../../lib/ledger/usage-archive.js';

/** Old calls of the ledger, in any database. */
export class LedgerUsageArchive {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns ended calls of all accounts before a time (milliseconds since 1970), in the store's own order, after the
   * call `after` if given. Excludes calls of running jobs.
   */
  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]> {
    const position = usageArchivePositionOf(after);
    return this.#database.read((queries) => archivePage(queries, before, position, limit));
  }

  /** Returns true while a call is in the ledger. */
  holds({ id }: ArchivedCall): Promise<boolean> {
    return this.#database.read((queries) => holdsCall(queries, id));
  }

  /**
   * Replaces calls with the sums of their day, key and endpoint. Resolves once that is on disk. Returns false, with
   * nothing changed, if one of them no longer exists or is pending again.
   */
  replaceBySums(calls: readonly ArchivedCall[]): Promise<boolean> {
    return this.#database.transaction((queries) => archiveCalls(queries, calls));
  }
}

export type UsageArchive = Pick<LedgerUsageArchive, keyof LedgerUsageArchive>;
