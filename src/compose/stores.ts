import type { Ledger } from '../../lib/ledger/ledger.js';
import type { SharedServices } from '../../lib/services.js';
import type { Subject } from '../../lib/suppressions/subject.js';
import type { Suppressions } from '../../lib/suppressions/suppressions.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import type { PaceStore } from '../../lib/web/pace-store.js';
import type { HostingStore } from '../service/accounts/hosting.js';
import type { ExpiringStore } from '../service/expiring-store/expiring-store.js';
import type { StoredHealth } from '../service/health/health-log.js';
import type { JobsOptions } from '../service/jobs/job-parts.js';
import type { Jobs } from '../service/jobs/open-jobs.js';
import type { SharedCounts } from '../service/limits/shared-counts.js';
import type { ConnectionCounts } from '../service/monitoring/monitoring.js';
import type { UsageArchive } from '../service/usage/ledger-archive.js';
import type { UsageQueries } from '../service/usage/ledger-usage.js';
import type { RefusedCalls } from '../service/usage/refused-calls.js';
import type { Forgotten } from './forgotten.js';

/** A server's stores, in a directory or a database: the ledger and everything else. */
export interface OpenStore extends HostingStore {
  readonly ledger: Ledger;
  /** Creates the job services. The caller stops them. */
  createJobs(options: JobsOptions): Jobs;
  readonly usage: UsageQueries;
  readonly refusedCalls: RefusedCalls;
  readonly pace: PaceStore;
  readonly health: StoredHealth;
  readonly suppressions: Suppressions;
  /** Removes a subject from everything stored here, and returns what was found where. Idempotent. */
  forget(subject: Subject, traces: Traces, signal?: AbortSignal): Promise<readonly Forgotten[]>;
  readonly usageArchive: UsageArchive;
  /** Counts and short-lived texts shared by the servers of a database; undefined in a data directory. */
  readonly sharedCounts: SharedCounts | undefined;
  readonly expiringStore: ExpiringStore | undefined;
  /**
   * Other state that calls share with other servers of a database; undefined in a data directory. `cacheBytes` limits
   * the cache.
   */
  shared(cacheBytes: number): SharedServices | undefined;
  /** Checks stored data before a server relies on it. Rejects with a `StorageError` that says what to do. */
  check(): Promise<void>;
  /** Returns the connections of this process to the database; null if there is none. */
  connections(): ConnectionCounts | null;
  close(): Promise<void>;
}
