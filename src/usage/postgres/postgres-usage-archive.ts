import { type ArchivedCall, archivePositionOf } from '../../../lib/ledger/call-row.js';
import { archiveCalls, archivePage } from '../../../lib/ledger/postgres/archive.js';
import type { Postgres } from '../../../lib/postgres/postgres.js';
import type { UsageArchive } from '../usage-archive.js';

/** The `UsageArchive` of a PostgreSQL database. */
export class PostgresUsageArchive implements UsageArchive {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]> {
    const position = archivePositionOf(after);
    return this.#postgres.read((queries) => archivePage(queries, before, position, limit));
  }

  replaceBySums(calls: readonly ArchivedCall[]): Promise<void> {
    return this.#postgres.transaction((queries) => archiveCalls(queries, calls));
  }
}
