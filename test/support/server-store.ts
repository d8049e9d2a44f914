import { readdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Clock } from '../../lib/runtime/clock.js';
import { openDirectory } from '../../src/compose/open-store.js';
import type { OpenStore } from '../../src/compose/stores.js';
import type { EndedInput } from '../../src/service/jobs/job.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import type { JobStores } from '../../src/service/jobs/sqlite/open-directory-jobs.js';
import { directorySlices } from '../service/jobs/directory-stores.js';

/** The storage of the servers in a test file. */
export interface ServerStores {
  /** Opens the storage of a test server; the caller closes it. */
  open(home: string, clock: Clock, trialCredits: number): Promise<OpenStore>;
  /** Completes the first inputs of a job without running them. */
  endInputs(jobs: Jobs, job: string, ended: readonly EndedInput[]): Promise<unknown>;
  /** Returns every table of the store, with its rows. */
  tables(home: string): Promise<ReadonlyMap<string, readonly object[]>>;
}

const places = new WeakMap<Jobs, { readonly jobStores: JobStores; readonly clock: Clock }>();

let chosen: ServerStores = {
  async open(home, clock, trialCredits) {
    const store = await openDirectory(home, clock, trialCredits);
    return {
      ...store,
      createJobs(options) {
        const jobs = store.createJobs(options);
        places.set(jobs, { jobStores: store.jobStores, clock });
        return jobs;
      },
    };
  },
  async endInputs(jobs, job, ended) {
    const place = places.get(jobs);
    if (place === undefined) throw new Error('No server of these tests has such jobs.');
    const lines = ended.map((one) => ({ ...one, line: Buffer.from('{}\n') }));
    await directorySlices(place.jobStores, place.clock).commit(job, lines);
  },
  async tables(home) {
    const tables = new Map<string, readonly object[]>();
    for (const name of readdirSync(home).filter((one) => one.endsWith('.db'))) {
      const db = new Sqlite(path.join(home, name), { readonly: true });
      const names = db
        .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'")
        .pluck()
        .all();
      for (const table of names) {
        const rows = db.prepare<[], object>(`SELECT * FROM "${table}"`).all();
        tables.set(table, [...(tables.get(table) ?? []), ...rows]);
      }
      db.close();
    }
    return tables;
  },
};

/** Writes the lines of a cancelled job in a data directory without a running server. */
export async function finishCancelled(jobs: Jobs, job: string): Promise<void> {
  const place = places.get(jobs);
  if (place !== undefined) await directorySlices(place.jobStores, place.clock).writeCancelled(job);
}

/** Makes the servers of this test file use another store than a data directory. */
export function keepElsewhere(stores: Pick<ServerStores, 'open'> & Partial<ServerStores>): void {
  chosen = { ...chosen, ...stores };
}

/** Opens the store of the next server in this test file. */
export const openServerStore: ServerStores['open'] = (...args) => chosen.open(...args);

export const endInputs: ServerStores['endInputs'] = (...args) => chosen.endInputs(...args);

export const tablesOf: ServerStores['tables'] = (...args) => chosen.tables(...args);
