import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { coalesce } from '../../../../lib/runtime/coalesce.js';
import { DateWatch } from '../../../../lib/runtime/date-watch.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { JobPorts, JobsOptions } from '../job-parts.js';
import { type Jobs, openJobs } from '../open-jobs.js';
import { recordsInRows } from '../results/earlier-archives.js';
import { ResultsFiles } from '../results/results-files.js';
import { rowLines } from '../results/row-results.js';
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
  const { postgres, engine, days, jobs: store } = stores;
  const { services, config, onError } = options;
  const { clock } = services;
  engine.onError = (cause) => onError('', cause);
  const rows = rowLines(postgres);
  // Each node makes its own.
  const files = new ResultsFiles(config.home);
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
  const place = {
    ...stores,
    ...{ database: postgres, files, removeOrphans, slices: { sliceSize }, archives: recordsInRows(postgres) },
    work: {
      tasks: new EngineTasks({ engine, resend: () => resendSlices(postgres, engine), clock, onError }),
      gather: (_: string, size: () => number) => coalesce(size),
    },
    async start(begin: () => void) {
      isStarted = true;
      begin();
      void sweeps.run();
    },
    stop: () => sweeps.stop(),
    leave: () => undefined,
  };
  return openJobs(place, options);
}
