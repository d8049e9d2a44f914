import { type ArchivedCall, archivePositionOf } from '../../../lib/ledger/call-row.js';
import { CallArchive } from '../../../lib/ledger/sqlite/archive.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { UsageArchive } from '../usage-archive.js';

/** The `UsageArchive` of a ledger's file. */
export class SqliteUsageArchive implements UsageArchive {
  readonly #ledger: LedgerDatabase;
  readonly #calls: CallArchive;

  constructor(ledger: LedgerDatabase) {
    this.#ledger = ledger;
    this.#calls = new CallArchive(ledger.db);
  }

  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]> {
    const position = archivePositionOf(after);
    return this.#ledger.read(() => this.#calls.page(before, position, limit));
  }

  replaceBySums(calls: readonly ArchivedCall[]): Promise<void> {
    return this.#ledger.write(() => this.#calls.replace(calls));
  }
}
