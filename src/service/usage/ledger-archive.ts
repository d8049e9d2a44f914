import type { Database } from '../../../lib/database/database.js';
import { archiveCalls, archivePage, holdsCall } from '../../../lib/ledger/archive.js';
import { type ArchivedCall, archivePositionOf } from '../../../lib/ledger/call-row.js';
import type { UsageArchive } from './usage-archive.js';

/** Old calls of the ledger, in any database. */
export class LedgerArchive implements UsageArchive {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]> {
    const position = archivePositionOf(after);
    return this.#database.read((queries) => archivePage(queries, before, position, limit));
  }

  holds({ id }: ArchivedCall): Promise<boolean> {
    return this.#database.read((queries) => holdsCall(queries, id));
  }

  replaceBySums(calls: readonly ArchivedCall[]): Promise<boolean> {
    return this.#database.transaction((queries) => archiveCalls(queries, calls));
  }
}
