import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { coalesce } from '../../../../lib/runtime/coalesce.js';
import { DateWatch } from '../../../../lib/runtime/date-watch.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { type JobPorts, type JobsOptions, jobParts } from '../job-parts.js';
import type { Jobs } from '../open-jobs.js';
import { recordsInRows } from '../results/earlier-archives.js';
import { ResultDownloads } from '../results/result-downloads.js';
import { ResultsFiles } from '../results/results-files.js';
import { RowResults, rowLines } from '../results/row-results.js';
import { unsuppressedLines, unsuppressedResults } from '../results/unsuppressed-results.js';
import { jobCalls } from '../runner/job-calls.js';
import { Runner } from '../runner/runner.js';
import { SliceStore } from '../runner/slice-store.js';
import type { StoredJobs } from '../stored-jobs.js';
import type { WebhookStore } from '../webhooks/webhook-store.js';
import type { Engine } from './engine.js';
import { EngineTasks } from './engine-tasks.js';
import { resendSlices } from './resend-slices.js';
import type { ResultsDays } from './results-days.js';
import { sliceSize } from './slices.js';
import { sweepJobs } from './sweep-jobs.js';

/** The stores of a database that its jobs need. */
export interface DatabaseJobStores extends JobPorts {
  readonly postgres: Postgres;
  readonly engine: Engine;
  readonly days: ResultsDays;
  readonly jobs: StoredJobs;
  readonly webhooks: WebhookStore;
}

/** Milliseconds between sweeps. */
const sweepInterval = 10 * 60_000;

/**
 * The jobs of a database, as one of its nodes has them. Any node takes and shows all jobs; those that were started work on them.
 * The engine goes on until the store is closed.
 */
export function openDatabaseJobs(stores: DatabaseJobStores, options: JobsOptions): Jobs {
  const { postgres, engine, days, jobs: store, webhooks } = stores;
  const { services, config, endpoints, onError } = options;
  const { clock, docsBase } = services;
  engine.onError = (cause) => onError('', cause);
  const rows = rowLines(postgres);
  const lines = unsuppressedLines(rows, options);
  const parts = jobParts(stores, lines, options, () => runner.wake());
  const slices = new SliceStore({
    ...{ database: postgres, clock, docsBase, sliceSize },
    beginDelivery: (queries, job) => webhooks.begin(queries, job),
  });
  const runner = new Runner({
    tasks: new EngineTasks({ engine, resend: () => resendSlices(postgres, engine), clock, onError }),
    gather: (_, size) => coalesce(size),
    ...{ store: slices, clock, docsBase, endpoints, cooldownMs: config.cooldownMs, onError },
    ...jobCalls(options),
    onFinished: parts.onFinished,
    // This node has counted only a part of the job's answers, and no node has all of them.
    onLeft: (job) => void options.comparisonOf?.(job),
  });
  // Files that are made of results, for as long as those are kept: each node makes its own.
  const files = new ResultsFiles(config.home);
  const downloads = new ResultDownloads(store, files, lines, recordsInRows(postgres), endpoints);
  const removeOrphans = async () => {
    for (const id of await files.ids()) {
      if (!(await rows.isKept(id))) await files.remove(id);
      // Somebody was forgotten in what they were made of.
      const edition = await rows.edition(id);
      if (edition !== '') await files.removeDownloads(id, edition);
    }
  };
  let isStarted = false;
  const date = new DateWatch(clock);
  const sweep = async () => {
    if (isStarted && date.isSteady())
      await sweepJobs({ postgres, clock, days, resultDays: store.resultDays });
    await removeOrphans();
  };
  const sweeps = new PeriodicTask(
    clock,
    sweepInterval,
    () => sweep().catch((cause: unknown) => onError('', cause)),
    false,
  );
  return {
    ...parts.shown,
    results: unsuppressedResults(
      new RowResults({
        results: postgres,
        jobs: store,
        nextProgress: (id) => runner.nextProgress(id),
        clock,
      }),
      store,
      options,
    ),
    downloads: {
      async open(account, id, kind) {
        await files.prepare();
        return downloads.open(account, id, kind);
      },
    },
    wake() {
      if (!isStarted) return;
      runner.wake();
      parts.wake();
    },
    wakeRunner() {
      if (isStarted) runner.wake();
    },
    async forgetDeleted() {
      await removeOrphans();
      await stores.schedules.removeEnded();
      runner.wake();
    },
    start() {
      if (isStarted) return;
      isStarted = true;
      runner.start();
      parts.wake();
      void sweeps.run();
    },
    async stop() {
      await Promise.all([parts.stop(), runner.stop(), sweeps.stop()]);
      await parts.comparisons.settle();
    },
  };
}
