import type { Clock } from '../../../lib/runtime/clock.js';
import { cooldownLeft } from '../../../lib/web/cooldown-state.js';
import type { PaceStore } from '../../../lib/web/pace-store.js';
import type { PurchaseStore } from '../accounts/packs/purchase-store.js';
import type { AccountStorage } from '../jobs/account-storage.js';
import type { StoredJobs } from '../jobs/stored-jobs.js';
import type { WebhookStore } from '../jobs/webhooks/webhook-store.js';
import { dataFiles } from './data-files.js';
import type { EventLoopDelay } from './event-loop-delay.js';
import type { RecentMinutes } from './recent-minutes.js';
import type { WatchedMailer } from './watched-mailer.js';

export interface ConnectionCounts {
  /** In use or idle. */
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

/** A platform in a cooldown after a refusal. */
export interface CoolingPlatform {
  readonly platform: string;
  readonly secondsLeft: number;
  /** Refusals since the last answer. */
  readonly refusals: number;
}

export interface JobQueue {
  readonly jobs: number;
  readonly inputs: number;
  /** Age of the oldest in seconds; 0 for none. */
  readonly oldestSeconds: number;
}

export interface NewestOf<T> {
  readonly total: number;
  readonly newest: readonly T[];
}

export interface MonitoringOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly recent: RecentMinutes;
  readonly loop: Pick<EventLoopDelay, 'worst'>;
  readonly mailer: Pick<WatchedMailer, 'counts'>;
  readonly pace: Pick<PaceStore, 'listPlatforms' | 'listDays'>;
  readonly jobs: Pick<StoredJobs, 'summarizeUnfinished'>;
  readonly webhooks: Pick<WebhookStore, 'listFailed'>;
  readonly storage: Pick<AccountStorage, 'listLargest'>;
  readonly purchases: Pick<PurchaseStore, 'listOpen'>;
  readonly connections: () => ConnectionCounts | null;
}

const maxShown = 20;

/** The numbers on the operator's pages. Each is read on request, and rejects if its store cannot be used. */
export function openMonitoring(options: MonitoringOptions) {
  const { home, clock, recent, loop, mailer, pace, jobs, webhooks, storage, purchases } = options;
  return {
    /** Calls of the last fifteen minutes. */
    calls: () => recent.sums(),
    /** The worst of the last fifteen minutes; null before anything was measured. */
    loop: () => loop.worst(),
    /** Mail since the server started. */
    mails: () => mailer.counts,
    async coolDowns(): Promise<readonly CoolingPlatform[]> {
      const platforms = await pace.listPlatforms();
      return platforms.flatMap(({ platform, cooldown }) => {
        const remainingMs = cooldownLeft(cooldown, clock.now());
        if (remainingMs === 0) return [];
        return { platform, secondsLeft: Math.ceil(remainingMs / 1000), refusals: cooldown?.refusals ?? 0 };
      });
    },
    /** Requests to the platforms since a day, such as 2026-11-26. */
    platformDays: (since: string) => pace.listDays(since),
    async queue(): Promise<JobQueue> {
      const { total, inputs, oldest } = await jobs.summarizeUnfinished(1);
      const oldestAt = oldest[0]?.job.created_at;
      const oldestSeconds =
        oldestAt === undefined ? 0 : Math.max(0, clock.now() - Date.parse(oldestAt)) / 1000;
      return { jobs: total, inputs, oldestSeconds: Math.round(oldestSeconds) };
    },
    /** Abandoned webhooks of jobs whose results still exist. */
    failedWebhooks: () => webhooks.listFailed(maxShown),
    openOrders: () => purchases.listOpen(maxShown),
    /** Connections of this server to its database; null for none. */
    connections: options.connections,
    /** The accounts with the most stored data, largest first. */
    storage: () => storage.listLargest(maxShown),
    /** Everything in the data directory, largest first. */
    files: () => dataFiles(home),
  };
}

export type Monitoring = ReturnType<typeof openMonitoring>;
