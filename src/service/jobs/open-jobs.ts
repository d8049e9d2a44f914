import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { AccountStorage } from './account-storage.js';
import { cancelAll } from './cancel-all.js';
import { Comparisons } from './comparisons.js';
import type { JobStore, RunnerLock, RunnerStore } from './job-store.js';
import { fileLines } from './results/file-lines.js';
import { FileResults } from './results/file-results.js';
import type { JobResults } from './results/job-results.js';
import { ResultDownloads } from './results/result-downloads.js';
import { ResultsFiles } from './results/results-files.js';
import { Sweeper } from './results/sweeper.js';
import { type JobCallsOptions, jobCalls } from './runner/job-calls.js';
import { Runner } from './runner/runner.js';
import { type ReadKeyState, Scheduler } from './schedules/scheduler.js';
import type { Schedules } from './schedules/schedules.js';
import { Deliverer } from './webhooks/deliverer.js';
import { createSender } from './webhooks/sender.js';
import { type Resolve, Targets } from './webhooks/targets.js';
import type { Webhooks } from './webhooks/webhooks.js';

/** The ports to jobs. */
interface JobPorts {
  readonly jobs: JobStore;
  readonly webhooks: Webhooks;
  readonly schedules: Schedules;
  readonly storage: AccountStorage;
}

/** The stores of a data directory that its jobs need. */
export interface JobStores extends JobPorts {
  readonly jobs: RunnerStore;
  /** Held by the process that works on the jobs. */
  readonly runnerLock: RunnerLock;
}

export interface JobsOptions extends JobCallsOptions {
  readonly config: Pick<Config, 'home' | 'concurrency' | 'cooldownMs' | keyof ProxyOnly>;
  /** Hosts, addresses and ranges that webhooks may be sent to beside public ones. */
  readonly webhookAllow: readonly string[];
  /** Gets what stops a job for now; the id is empty where it is all jobs. */
  readonly onError: (job: string, cause: unknown) => void;
  /** In place of the system's resolver. */
  readonly resolve?: Resolve;
  /** Certificates that webhook receivers must have, in place of the system's. */
  readonly ca?: string | undefined;
  /** Ends the comparison of a finished job with what is usual: a sentence for each field that its answers lacked. */
  readonly comparisonOf?: (job: string) => readonly string[];
  /** Bytes of inputs and results that an account may have stored; left out for as many as there is room for. */
  readonly accountBytes?: number;
  /** Reads the rights of a key before each run of a schedule; left out where keys have no limits. */
  readonly readKeyState?: ReadKeyState;
}

type ProxyOnly = Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>;

/** The options of the jobs of a data directory. */
export interface DirectoryJobsOptions extends JobsOptions {
  readonly stores: JobStores;
  readonly files?: ResultsFiles;
}

/** Everything about jobs, of one data directory or database. */
export interface Jobs {
  readonly store: JobStore;
  readonly webhooks: Webhooks;
  readonly results: JobResults;
  readonly downloads: Pick<ResultDownloads, 'open'>;
  readonly schedules: Schedules;
  readonly storage: AccountStorage;
  /** Bytes that an account may have stored. */
  readonly accountBytes: number;
  readonly endpoints: readonly Endpoint[];
  /** Rejects `webhook_url_not_allowed`. */
  checkTarget(url: string): Promise<void>;
  /** Looks for work at once: a job was made or cancelled, a delivery asked for. */
  wake(): void;
  /** Cancels the jobs of an account that is about to be deleted, each in a transaction of its own. */
  cancelAll(account: string): Promise<void>;
  /** Stops the jobs of a deleted account and deletes what they left in files. */
  forgetDeleted(): Promise<void>;
  /** Begins to work; of the processes of a data directory one does, and the others wait for its end. */
  start(): void;
  stop(): Promise<void>;
}

/** Milliseconds between tries to begin where something stands in the way. */
const startRetryMs = 5000;

/** The jobs of a data directory. */
export function openJobs(options: DirectoryJobsOptions): Jobs {
  const { stores, services, config, endpoints, onError } = options;
  const { clock, docsBase } = services;
  const { jobs: store, webhooks, schedules, storage } = stores;
  const accountBytes = options.accountBytes ?? Number.POSITIVE_INFINITY;
  const files = options.files ?? new ResultsFiles(config.home);
  const targets = new Targets(options.webhookAllow, options.resolve);
  const sender = createSender({ targets, clock, proxy: config, ca: options.ca });
  const deliverer = new Deliverer({ store: webhooks, sender, clock, onError, span: services.span });
  const { ask, slots } = jobCalls(options);
  const { cooldownMs } = config;
  const comparisons = new Comparisons(store, options.comparisonOf, onError);
  const onFinished = (id: string) => {
    deliverer.wake();
    comparisons.save(id);
    // A run may wait for the end of this one.
    scheduler.wake();
  };
  const runner = new Runner({
    ...{ store, files, clock, docsBase, endpoints, ask, slots, cooldownMs, onFinished, onError },
  });
  const sweeper = new Sweeper(store, webhooks, files, clock, onError);
  const scheduler = new Scheduler({
    ...{ store: schedules, clock, endpoints, onError },
    readKeyState: options.readKeyState ?? (async () => ({ fault: null, monthlyCredits: null })),
    checkRoom: (account) => storage.checkRoom(account, 0, accountBytes),
    onMade: () => runner.wake(),
  });
  const stopping = new AbortController();
  let begun: Promise<void> | undefined;
  let releaseLock: () => void = () => undefined;
  let working = false;
  const begin = async () => {
    while (!working && !stopping.signal.aborted) {
      try {
        await files.prepare();
        releaseLock = await stores.runnerLock.acquire(stopping.signal);
        working = true;
        await runner.start();
        deliverer.wake();
        sweeper.start();
        scheduler.wake();
      } catch (cause) {
        working = false;
        releaseLock();
        releaseLock = () => undefined;
        if (stopping.signal.aborted) return;
        // A folder that cannot be made or locked now: nobody works on the jobs without the lock.
        onError('', cause);
        await clock.sleep(startRetryMs, stopping.signal).catch(() => undefined);
      }
    }
  };
  const wake = () => {
    if (!working) return;
    runner.wake();
    deliverer.wake();
    scheduler.wake();
  };
  return {
    store,
    webhooks,
    schedules,
    storage,
    accountBytes,
    results: new FileResults(store, files, (id) => runner.nextProgress(id), clock),
    downloads: new ResultDownloads(store, files, fileLines(files), endpoints),
    endpoints,
    checkTarget: (url) => targets.check(url),
    wake,
    cancelAll: (account) => cancelAll(store, account),
    async forgetDeleted() {
      if (working) await runner.dropDeleted();
      await sweeper.removeOrphans();
      wake();
    },
    start() {
      begun ??= begin();
    },
    async stop() {
      stopping.abort(new DOMException('The server stops.', 'AbortError'));
      await begun;
      await Promise.all([scheduler.stop(), runner.stop(), deliverer.stop(), sweeper.stop()]);
      await comparisons.settle();
      releaseLock();
    },
  };
}
