import type { TableSchema } from '../../lib/database/table-schema.js';
import { suppressionsSchema } from '../../lib/suppressions/suppressions-schema.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import { memorySchema } from '../lines/memory/memory-schema.js';
import {
  type HostingStoreOptions,
  hostingSchemas,
  openHostingStore,
} from '../service/accounts/open-accounts.js';
import type { Operator } from '../service/audit/audit-log.js';
import { StoredHealth } from '../service/health/health-log.js';
import { healthSchema } from '../service/health/health-schema.js';
import { AccountStorage } from '../service/jobs/account-storage.js';
import { jobsSchema } from '../service/jobs/jobs-schema.js';
import { LinkStore } from '../service/jobs/links/link-store.js';
import { linksSchema } from '../service/jobs/links/links-schema.js';
import { AlertStore } from '../service/jobs/schedules/alerts/alert-store.js';
import { ScheduleStore } from '../service/jobs/schedules/schedule-store.js';
import { schedulesSchema } from '../service/jobs/schedules/schedules-schema.js';
import type { StoredJobs } from '../service/jobs/stored-jobs.js';
import { WebhookStore } from '../service/jobs/webhooks/webhook-store.js';
import { webhooksSchema } from '../service/jobs/webhooks/webhooks-schema.js';
import { LedgerUsageArchive } from '../service/usage/ledger-archive.js';
import { LedgerUsage } from '../service/usage/ledger-usage.js';
import { RefusedCallStore } from '../service/usage/refused-call-store.js';
import { refusedCallsSchema } from '../service/usage/refused-calls-schema.js';
import type { DiskSpace } from '../service/usage/usage-queries.js';
import { auditedSuppressions, forgetAct } from './audited-suppressions.js';
import type { Forgotten } from './forgotten.js';
import type { OpenStore } from './stores.js';

/** The tables that data directories and databases have in common, besides the ledger's. */
export const commonSchemas: readonly TableSchema[] = [
  ...hostingSchemas,
  jobsSchema,
  webhooksSchema,
  schedulesSchema,
  linksSchema,
  memorySchema,
  healthSchema,
  refusedCallsSchema,
  suppressionsSchema,
];

interface CommonStoresOptions<Jobs extends StoredJobs>
  extends Pick<HostingStoreOptions, 'database' | 'clock' | 'money' | 'digest' | 'trialCredits'> {
  readonly jobs: Jobs;
  readonly operator: Operator | undefined;
  readonly resultDays: number | undefined;
  readonly measure: () => Promise<DiskSpace>;
  readonly forget: (traces: Traces, signal?: AbortSignal) => Promise<readonly Forgotten[]>;
}

/** The stores with the same SQL in a data directory and a database, except the stores of jobs. */
export function commonStores<Jobs extends StoredJobs>(options: CommonStoresOptions<Jobs>) {
  const { database, clock, jobs, digest, resultDays } = options;
  const webhooks = new WebhookStore(database, clock, resultDays);
  const links = new LinkStore(database, clock);
  const refusedCalls = new RefusedCallStore(database, clock);
  const jobPorts = {
    ...{ jobs, webhooks, links },
    schedules: new ScheduleStore(database, clock, jobs),
    alerts: new AlertStore(database, clock),
    storage: new AccountStorage(database),
  };
  // Webhooks before the jobs they belong to, links after the jobs they read.
  const hosting = openHostingStore({ ...options, rows: [webhooks, jobs, links, refusedCalls] });
  const stores = {
    ...hosting,
    refusedCalls,
    usage: new LedgerUsage(database, options.measure),
    health: new StoredHealth(database, clock),
    suppressions: auditedSuppressions(database, clock, hosting.audit, digest),
    async forget(subject, traces, signal) {
      const forgotten = await options.forget(traces, signal);
      await hosting.audit.note(forgetAct(digest, subject, forgotten));
      return forgotten;
    },
    usageArchive: new LedgerUsageArchive(database),
  } satisfies Partial<OpenStore>;
  return { stores, jobPorts };
}
