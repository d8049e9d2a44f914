import type { Database } from '../../../../lib/database/database.js';
import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { inputsWith } from '../../../../lib/ledger/job-entries.js';
import { coalesce } from '../../../../lib/runtime/coalesce.js';
import type { JobPorts, JobsOptions } from '../job-parts.js';
import type { JobRow } from '../job-row.js';
import { type Jobs, openJobs } from '../open-jobs.js';
import { recordsInRows } from '../results/earlier-archives.js';
import { ResultsFiles } from '../results/results-files.js';
import { Sweeper } from '../results/sweeper.js';
import type { Engine } from './engine.js';
import { EngineTasks } from './engine-tasks.js';
import type { ResultsDays } from './results-days.js';
import { sendCancelled, sendSlices, sliceSize } from './slices.js';
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
  // Files are local to each node.
  const files = new ResultsFiles(config.home);
  const sweep = () => sweepJobs({ postgres, clock, days, resultDays: store.resultDays });
  const sweeper = new Sweeper({ ...{ database: postgres, files, clock, onError }, steps: [sweep] });
  const storage = {
    ...stores,
    ...{ database: postgres, files, slices: { sliceSize }, earlierArchives: recordsInRows(postgres) },
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
  return openJobs(storage, options);
}

/** Sends slices again that have unfinished inputs but no task. Resolves with the number of their jobs. */
async function resendSlices(database: Database, engine: Engine): Promise<number> {
  const rows = await database.read((queries) =>
    queries.rows<JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id'),
  );
  for (const row of rows) {
    await database.transaction(async (queries) => {
      if (row.status === 'cancelled') await sendCancelled(engine, queries, row);
      else await sendSlices(engine, queries, row, await inputsWith(queries, row.id, 'pending'));
    });
  }
  return rows.length;
}
