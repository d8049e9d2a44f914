import type { ArchivedCall } from '../../../lib/ledger/call-row.js';

/**
 * The port to old calls: what moves them out of the ledger. Balances never change by it. Each method rejects with the
 * ledger's faults.
 */
export interface UsageArchive {
  /**
   * Resolves with ended calls of all accounts before a time (milliseconds since 1970), so many at most. The order is
   * the store's own. They follow the call `after`, where one is given. Calls of jobs at work are left out.
   */
  listCallsBefore(
    before: number,
    after: ArchivedCall | null,
    limit: number,
  ): Promise<readonly ArchivedCall[]>;
  /** True while a call is in the ledger. */
  holds(call: ArchivedCall): Promise<boolean>;
  /**
   * Replaces calls by the sums of their day, key and endpoint; resolves when that is on the disk. False, with nothing changed,
   * where one of them is no longer there or is pending again.
   */
  replaceBySums(calls: readonly ArchivedCall[]): Promise<boolean>;
}
