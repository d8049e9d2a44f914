import type { Database } from '../../../lib/database/database.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import { type JobPorts, type JobsOptions, jobParts, type ShownJobs } from './job-parts.js';
import type { RunnerLock, RunnerStore } from './job-store.js';
import { recordsInFiles } from './results/earlier-archives.js';
import { EarlierResults } from './results/earlier-results.js';
import type { JobResults } from './results/job-results.js';
import { ResultDownloads } from './results/result-downloads.js';
import { ResultsFiles } from './results/results-files.js';
import { RowResults, rowLines } from './results/row-results.js';
import { Sweeper } from './results/sweeper.js';
import { unsuppressedLines, unsuppressedResults } from './results/unsuppressed-results.js';
import { jobCalls } from './runner/job-calls.js';
import { Runner } from './runner/runner.js';
import { SliceStore } from './runner/slice-store.js';
import { WholeJobs } from './runner/whole-jobs.js';
import type { StoredJobs } from './stored-jobs.js';
import type { WebhookStore } from './webhooks/webhook-store.js';

/** The stores of a data directory that its jobs need. */
export interface JobStores extends JobPorts {
  readonly database: Database;
  /** Holds the lines. */
  readonly results: Database;
  readonly jobs: StoredJobs & RunnerStore;
  readonly webhooks: WebhookStore;
  /** Held by the process that works on the jobs. */
  readonly runnerLock: RunnerLock;
}

/** The options of the jobs of a data directory. */
export interface DirectoryJobsOptions extends JobsOptions {
  readonly stores: JobStores;
  readonly files?: ResultsFiles;
}

/** Everything about jobs, of one data directory or database. */
export interface Jobs extends ShownJobs {
  readonly results: JobResults;
  readonly downloads: Pick<ResultDownloads, 'open'>;
  /** Looks for work at once: a job was cancelled, a delivery asked for. */
  wake(): void;
  /** Begins to work on a job that was made. No webhook, alert or run is due by that, and nobody looks for one. */
  wakeRunner(): void;
  /** Stops the jobs of a deleted account and deletes what they left in files. */
  forgetDeleted(): Promise<void>;
  /** Begins to work; of the processes of a data directory one does, and the others wait for its end. */
  start(): void;
  stop(): Promise<void>;
}

/** Milliseconds that a group of lines takes of the event loop: for its files and its transaction (measured 2026-11). */
const groupMs = 2;
/** Milliseconds between tries to begin where something stands in the way. */
const startRetryMs = 5000;

/** The jobs of a data directory. */
export function openJobs(options: DirectoryJobsOptions): Jobs {
  const { stores, services, config, endpoints, onError } = options;
  const { clock, docsBase } = services;
  const { database, results, jobs: store, webhooks, runnerLock } = stores;
  const files = options.files ?? new ResultsFiles(config.home);
  const earlier = new EarlierResults({ home: config.home, database, results, clock, onError });
  const ready = (id: string) => earlier.ready(id);
  const given = unsuppressedLines(rowLines(database, results, ready), options);
  const parts = jobParts(stores, given, options, () => runner.wake());
  const lines = new SliceStore({
    ...{ database, results, ready, clock, docsBase },
    withdraw: (account, left) => store.withdraw(account, left),
    beginDelivery: (queries, job) => webhooks.begin(queries, job),
  });
  const runner = new Runner({
    tasks: new WholeJobs({ store, clock, onError }),
    // Where an account rests, more lines come together.
    gather: (account) => accountTurns.next(account, groupMs),
    ...{ store: lines, clock, docsBase, endpoints, cooldownMs: config.cooldownMs, onError },
    ...jobCalls(options),
    onFinished: parts.onFinished,
    // Nobody compares the answers of a deleted job.
    onLeft: (job) => void options.comparisonOf?.(job),
  });
  const sweeper = new Sweeper({ store, webhooks, files, clock, onError });
  const stopping = new AbortController();
  let begun: Promise<void> | undefined;
  let moved: Promise<void> | undefined;
  let releaseLock: () => void = () => undefined;
  let working = false;
  const begin = async () => {
    while (!working && !stopping.signal.aborted) {
      try {
        await files.prepare();
        releaseLock = await runnerLock.acquire(stopping.signal);
        working = true;
        moved = earlier.moveAll(stopping.signal).catch((cause: unknown) => onError('', cause));
        runner.start();
        parts.wake();
        sweeper.start();
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
  const wakeRunner = () => {
    if (working) runner.wake();
  };
  const wake = () => {
    wakeRunner();
    if (working) parts.wake();
  };
  return {
    ...parts.shown,
    results: unsuppressedResults(
      new RowResults({ results, ready, jobs: store, nextProgress: (id) => runner.nextProgress(id), clock }),
      store,
      options,
    ),
    downloads: new ResultDownloads(store, files, given, recordsInFiles(files), endpoints),
    ...{ wake, wakeRunner },
    async forgetDeleted() {
      await store.withdrawDeleted();
      if (working) await runner.look();
      await sweeper.removeOrphans();
      await stores.schedules.removeEnded();
      wake();
    },
    start() {
      begun ??= begin();
    },
    async stop() {
      stopping.abort(new DOMException('The server stops.', 'AbortError'));
      await begun;
      await Promise.all([parts.stop(), runner.stop(), sweeper.stop()]);
      await moved;
      await parts.comparisons.settle();
      releaseLock();
    },
  };
}
