import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { forgetInAnswers } from '../../lib/cache/forget-in-answers.js';
import type { DatabaseFile } from '../../lib/database/sqlite/database-file.js';
import type { Database } from '../../lib/database/sqlite/driver.js';
import { whenUnlocked } from '../../lib/database/sqlite/lock-wait.js';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { overwriteDeleted, wipeFreeSpace } from '../../lib/database/sqlite/wipe.js';
import type { LedgerDatabase } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import { type Forgotten, notReached, reached } from '../files/forget/forgotten.js';
import { forgetInWatches } from '../files/watch/sqlite/forget-in-watches.js';
import { forgetInMemory } from '../lines/memory/forget-in-memory.js';
import { forgetInHealth } from '../service/health/forget-in-health.js';
import { forgetInJobs } from '../service/jobs/forget-in-jobs.js';
import { forgetInArchives, recordsInFiles } from '../service/jobs/results/earlier-archives.js';
import { earlierJobs } from '../service/jobs/results/earlier-results.js';
import { forgetInResultRows, noteForgotten } from '../service/jobs/results/forget-in-result-rows.js';
import { ResultsFiles } from '../service/jobs/results/results-files.js';
import { forgetInUntold } from '../service/notify/sqlite/sqlite-untold.js';
import { openSeenNames } from './open-seen-names.js';

const busyNote =
  'Another program has the file open: what was deleted in it is overwritten when that has ended and `extract forget` runs again.';

/** Runs work on a file of the data directory and wipes deleted data from it. Null if the file does not exist. */
async function inFile(
  file: string,
  place: string,
  clock: Clock,
  work: (db: Database) => Promise<number> | number,
): Promise<Forgotten | null> {
  if (!existsSync(file)) return null;
  const db = await openSqliteFile(file);
  try {
    overwriteDeleted(db);
    const removed = await whenUnlocked(clock, () => work(db));
    return reached(place, await removed, wipeFreeSpace(db) ? null : busyNote);
  } finally {
    db.close();
  }
}

const hasTable = (db: Database, name: string) =>
  db.prepare<[string]>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !==
  undefined;

/** Removes a subject from the lines of jobs. These come first, because a killed run is repeated. */
async function forgetInResults(
  results: DatabaseFile,
  stores: LedgerDatabase['stores'],
  traces: Traces,
): Promise<Forgotten> {
  if (!results.exists) return reached('results of jobs', 0);
  const db = await results.driver();
  overwriteDeleted(db);
  const forgotten = await results.transaction((queries) => forgetInResultRows(queries, traces));
  await stores.transaction((queries) => noteForgotten(queries, forgotten));
  return reached('results of jobs', forgotten.lines, wipeFreeSpace(db) ? null : busyNote);
}

/** Removes a subject from what `--new` remembers. */
async function forgetInSeenNames(home: string, clock: Clock, traces: Traces): Promise<Forgotten | null> {
  if (!existsSync(path.join(home, 'state.db'))) return null;
  const { database, close } = await openSeenNames(home, clock);
  try {
    const db = await database.driver();
    overwriteDeleted(db);
    const removed = await database.transaction((queries) => forgetInMemory(queries, traces));
    return reached('what --new remembers', removed, wipeFreeSpace(db) ? null : busyNote);
  } finally {
    await close();
  }
}

/** Removes a subject from all files of a data directory. If it is killed, run it again. */
export async function forgetInDirectory(
  home: string,
  { db, stores }: LedgerDatabase,
  results: DatabaseFile,
  clock: Clock,
  traces: Traces,
): Promise<readonly Forgotten[]> {
  overwriteDeleted(db);
  const histories = await stores.transaction((queries) => forgetInMemory(queries, traces));
  const jobs = await stores.transaction((queries) => forgetInJobs(queries, traces));
  const health = await stores.transaction((queries) => forgetInHealth(queries, traces));
  const wiped = wipeFreeSpace(db);
  const lines = await forgetInResults(results, stores, traces);
  const files = new ResultsFiles(home);
  const archives = await forgetInArchives(stores, recordsInFiles(files), traces);
  for (const id of await files.ids()) await files.removeDownloads(id);
  const answers = await inFile(path.join(home, 'answers.db'), 'cached answers', clock, (file) =>
    hasTable(file, 'answers') ? forgetInAnswers(queriesOn(file), traces) : 0,
  );
  // A damaged cache that was moved aside is never read again.
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(path.join(home, `answers.db.damaged${suffix}`), { force: true });
  const seen = await forgetInSeenNames(home, clock, traces);
  const state = await inFile(path.join(home, 'state.db'), 'what watches remember', clock, (file) =>
    file
      .transaction(
        () =>
          (hasTable(file, 'watches') ? forgetInWatches(file, traces) : 0) +
          (hasTable(file, 'untold') ? forgetInUntold(file, traces) : 0),
      )
      .immediate(),
  );
  return [
    reached('histories of schedules', histories),
    reached('inputs and notices of jobs and schedules', jobs, wiped ? null : busyNote),
    reached('errors of endpoints', health),
    lines,
    reached('archives of jobs', archives),
    ...[answers, seen, state].filter((one) => one !== null),
    ...(await earlierJobs(home)).map((id) =>
      notReached(
        `results of the job ${id}`,
        'An earlier version wrote them. Start the server, which moves them, and run `extract forget` again.',
      ),
    ),
  ];
}
