import type { Database } from '../../../../lib/database/database.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { JobPorts, JobsOptions } from '../job-parts.js';
import { type Jobs, openJobs } from '../open-jobs.js';
import { recordsInFiles } from '../results/earlier-archives.js';
import { EarlierResults } from '../results/earlier-results.js';
import { ResultsFiles } from '../results/results-files.js';
import { Sweeper } from '../results/sweeper.js';
import { LocalJobTasks } from '../runner/local-job-tasks.js';
import { lockRunner } from './runner-lock.js';
import type { SqliteJobs } from './sqlite-jobs.js';

export interface JobStores extends JobPorts {
  readonly database: Database;
  readonly results: Database;
  readonly jobs: SqliteJobs;
}

export interface DirectoryJobsOptions extends JobsOptions {
  readonly stores: JobStores;
}

/** Milliseconds that a group of lines blocks the event loop, for its files and its transaction (measured 2026-11). */
const groupMs = 2;
/** Milliseconds between attempts to start. */
const startRetryMs = 5000;

/** Opens the jobs of a data directory. */
export function openDirectoryJobs(options: DirectoryJobsOptions): Jobs {
  const { stores, services, config, onError } = options;
  const { clock } = services;
  const { database, results, jobs: store, webhooks } = stores;
  const files = new ResultsFiles(config.home);
  const earlier = new EarlierResults({ home: config.home, database, results, clock, onError });
  const forget = async (id: string) => {
    // Files first, so that a job whose row says so has none left.
    await files.remove(id);
    await webhooks.forget(id);
    await store.forget(id);
  };
  const forgetExpired = async () => {
    for (const id of await store.listExpired()) {
      await forget(id).catch((cause: unknown) => onError(id, cause));
    }
  };
  const sweeper = new Sweeper({
    ...{ database, files, clock, onError },
    steps: [forgetExpired, () => store.forgetAnswers(), () => store.forgetStagedInputs()],
    forgetLines: () => store.forgetLines(),
  });
  let move: Promise<void> | undefined;
  let leave: () => void = () => undefined;
  const storage = {
    ...stores,
    files,
    slices: {
      results,
      ready: (id: string) => earlier.ready(id),
      withdraw: store.withdraw.bind(store),
    },
    earlierArchives: recordsInFiles(files),
    work: {
      tasks: new LocalJobTasks({ store, clock, onError }),
      // More lines accumulate while an account waits.
      gather: (account: string) => accountTurns.next(account, groupMs),
    },
    async start(begin: () => void, signal: AbortSignal) {
      while (!signal.aborted) {
        try {
          await files.prepare();
          leave = await lockRunner(files.folder, clock, signal);
          move = earlier.moveAll(signal).catch((cause: unknown) => onError('', cause));
          begin();
          sweeper.start();
          return;
        } catch (cause) {
          if (signal.aborted) return;
          // The folder cannot be created or locked now. Without the lock no process works on the jobs.
          onError('', cause);
          await clock.sleep(startRetryMs, signal).catch(() => undefined);
        }
      }
    },
    async stop() {
      await sweeper.stop();
      await move;
    },
    leave: () => leave(),
    removeOrphans: () => sweeper.removeOrphans(),
  };
  return openJobs(storage, options);
}
