import type { Clock } from '../../lib/runtime/clock.js';
import { openDirectory } from '../../src/compose/open-store.js';
import type { OpenStore } from '../../src/compose/stores.js';
import type { EndedInput } from '../../src/service/jobs/job.js';
import type { RunnerStore } from '../../src/service/jobs/job-store.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';

/** Where the servers of a test file keep what they keep. */
export interface ServerStores {
  /** Opens what a server of the tests keeps; whoever opens it closes it. */
  open(home: string, clock: Clock, trialCredits: number): Promise<OpenStore>;
  /** Ends the first inputs of a job, as if they had been worked on. */
  endInputs(jobs: Jobs, job: string, ended: readonly EndedInput[]): Promise<unknown>;
}

let chosen: ServerStores = {
  open: openDirectory,
  endInputs: ({ store }, job, ended) =>
    (store as RunnerStore).commit(job, ended, { lines: ended.length, bytes: ended.length, lateBytes: 0 }),
};

/** Makes the servers of this test file keep what they keep elsewhere than in a data directory. */
export function keepElsewhere(stores: Pick<ServerStores, 'open'> & Partial<ServerStores>): void {
  chosen = { ...chosen, ...stores };
}

/** Opens what the next server of this test file keeps. */
export const openServerStore: ServerStores['open'] = (...given) => chosen.open(...given);

export const endInputs: ServerStores['endInputs'] = (...given) => chosen.endInputs(...given);
