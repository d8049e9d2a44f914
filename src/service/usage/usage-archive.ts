import type { ArchivedCall } from '../../../lib/ledger/call-row.js';

/**
 * The port that moves old calls out of the ledger. Balances never change. Each method rejects with the ledger's errors.
 */
export interface UsageArchive {
  /**
   * Returns up to this many ended calls of all accounts before a time (milliseconds since 1970), in the store's own
   * order, after the call `after` if there is one. Calls of running jobs are excluded.
   */
  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]>;
  /** Returns true while a call is in the ledger. */
  holds(call: ArchivedCall): Promise<boolean>;
  /**
   * Replaces calls with the sums of their day, key and endpoint; resolves when that is on the disk. Returns false, with
   * nothing changed, if one of them no longer exists or is pending again.
   */
  replaceBySums(calls: readonly ArchivedCall[]): Promise<boolean>;
}
