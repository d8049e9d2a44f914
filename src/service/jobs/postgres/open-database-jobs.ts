import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { coalesce } from '../../../../lib/runtime/coalesce.js';
import type { JobPorts, JobsOptions } from '../job-parts.js';
import { type Jobs, openJobs } from '../open-jobs.js';
import { recordsInRows } from '../results/earlier-archives.js';
import { ResultsFiles } from '../results/results-files.js';
import { Sweeper } from '../results/sweeper.js';
import type { Engine } from './engine.js';
import { EngineTasks } from './engine-tasks.js';
import { resendSlices } from './resend-slices.js';
import type { ResultsDays } from './results-days.js';
import { sliceSize } from './slices.js';
import { sweepJobs } from './sweep-jobs.js';

export interface DatabaseJobStores extends JobPorts {
  readonly postgres: Postgres;
  readonly engine: Engine;
  readonly days: ResultsDays;
}

/**
 * Opens a database's jobs on one of its nodes. Any node accepts and shows all jobs; started nodes work on them. The
 * engine runs until the store is closed.
 */
export function openDatabaseJobs(stores: DatabaseJobStores, options: JobsOptions): Jobs {
  const { postgres, engine, days, jobs: store } = stores;
  const { services, config, onError } = options;
  const { clock } = services;
  engine.onError = (cause) => onError('', cause);
  // Each node has its own.
  const files = new ResultsFiles(config.home);
  const sweep = () => sweepJobs({ postgres, clock, days, resultDays: store.resultDays });
  const sweeper = new Sweeper({ ...{ database: postgres, files, clock, onError }, steps: [sweep] });
  const place = {
    ...stores,
    ...{ database: postgres, files, slices: { sliceSize }, archives: recordsInRows(postgres) },
    work: {
      tasks: new EngineTasks({ engine, resend: () => resendSlices(postgres, engine), clock, onError }),
      gather: (_: string, size: () => number) => coalesce(size),
    },
    async start(begin: () => void) {
      begin();
      sweeper.start();
    },
    stop: () => sweeper.stop(),
    leave: () => undefined,
    removeOrphans: () => sweeper.removeOrphans(),
  };
  return openJobs(place, options);
}
