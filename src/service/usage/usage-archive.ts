import type { ArchivedCall } from '../../../lib/ledger/call-row.js';

/** Moves old calls out of the ledger. Balances never change. Each method rejects with the ledger's errors. */
export interface UsageArchive {
  /**
   * Returns ended calls of all accounts before a time (milliseconds since 1970), in the store's own order, after the
   * call `after` if given. Excludes calls of running jobs.
   */
  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]>;
  /** Returns true while a call is in the ledger. */
  holds(call: ArchivedCall): Promise<boolean>;
  /**
   * Replaces calls with the sums of their day, key and endpoint. Resolves once that is on disk. Returns false, with
   * nothing changed, if one of them no longer exists or is pending again.
   */
  replaceBySums(calls: readonly ArchivedCall[]): Promise<boolean>;
}
