import type { Database } from '../../../lib/database/database.js';
import { type JobPorts, type JobsOptions, jobParts } from './job-parts.js';
import type { ArchivedRecords } from './results/earlier-archives.js';
import { type DownloadKind, ResultDownloads } from './results/result-downloads.js';
import type { ResultsFiles } from './results/results-files.js';
import { RowResults, rowLines } from './results/row-results.js';
import { unsuppressedLines, unsuppressedResults } from './results/unsuppressed-results.js';
import { jobCalls } from './runner/job-calls.js';
import { Runner, type RunnerOptions } from './runner/runner.js';
import { SliceStore, type SliceStoreOptions } from './runner/slice-store.js';

/** The stores of jobs, and what differs between a data directory and a database. */
export interface JobStorage extends JobPorts {
  readonly database: Database;
  /** How slices are written, with the file of the lines if it is separate. */
  readonly slices: Pick<SliceStoreOptions, 'results' | 'ready' | 'sliceSize' | 'withdraw'>;
  /** Data of earlier versions. */
  readonly earlierArchives: ArchivedRecords;
  readonly files: ResultsFiles;
  readonly work: Pick<RunnerOptions, 'tasks' | 'gather'>;
  /** Calls `begin` once this process may work on the jobs, unless the signal is aborted first. */
  start(begin: () => void, signal: AbortSignal): Promise<void>;
  /** Stops what `start` began besides the work. */
  stop(): Promise<void>;
  leave(): void;
  removeOrphans(): Promise<void>;
}

/** Opens the jobs for one of the processes that share them. */
export function openJobs(storage: JobStorage, options: JobsOptions) {
  const { services, config, endpoints, onError } = options;
  const { clock, docsBase } = services;
  const { database, jobs: store, webhooks, slices, files } = storage;
  const { results = database, ready } = slices;
  const lines = unsuppressedLines(rowLines(database, results, ready), options);
  const parts = jobParts(storage, lines, options, () => runner.wake());
  const runner = new Runner({
    ...storage.work,
    store: new SliceStore({
      ...{ database, clock, docsBase, ...slices },
      beginDelivery: (queries, job) => webhooks.begin(queries, job),
    }),
    ...{ clock, docsBase, endpoints, cooldownMs: config.cooldownMs, onError },
    ...jobCalls(options),
    onFinished: parts.onFinished,
    // Discards the comparison of a deleted job, and of a job finished by another process, which counted the rest.
    onLeft: (job) => void options.comparisonOf?.(job),
  });
  const nextProgress = (id: string) => runner.nextProgress(id);
  const rows = new RowResults({ results, jobs: store, nextProgress, clock, ...(ready ? { ready } : {}) });
  const downloads = new ResultDownloads(store, files, lines, storage.earlierArchives, endpoints);
  const stopping = new AbortController();
  let start: Promise<void> | undefined;
  let isWorking = false;
  /** Starts a new job, without looking for webhooks, alerts or runs, which it cannot make due. */
  const wakeRunner = () => {
    if (isWorking) runner.wake();
  };
  /** Looks for work now: a job was cancelled, a delivery requested. */
  const wake = () => {
    wakeRunner();
    if (isWorking) parts.wake();
  };
  return {
    ...parts.shown,
    results: unsuppressedResults(rows, store, options),
    downloads: {
      async open(account: string, id: string, kind: DownloadKind) {
        await files.prepare();
        return downloads.open(account, id, kind);
      },
    },
    ...{ wake, wakeRunner },
    /** Stops the jobs of a deleted account and deletes their files. */
    async forgetDeleted() {
      await store.withdrawDeleted();
      if (isWorking) await runner.checkJobs();
      await storage.removeOrphans();
      await storage.schedules.removeEnded();
      wake();
    },
    /** Starts working. Of the processes of a data directory one works, and the others wait for it to end. */
    start() {
      start ??= storage.start(() => {
        isWorking = true;
        runner.start();
        parts.wake();
      }, stopping.signal);
    },
    async stop() {
      stopping.abort(new DOMException('The server stops.', 'AbortError'));
      await start;
      await Promise.all([parts.stop(), runner.stop(), storage.stop()]);
      await parts.settle();
      storage.leave();
    },
  };
}

/** The jobs of one data directory or database. */
export type Jobs = ReturnType<typeof openJobs>;
