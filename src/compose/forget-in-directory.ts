import { existsSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { forgetInAnswers } from '../../lib/cache/forget-in-answers.js';
import type { DatabaseFile } from '../../lib/database/sqlite/database-file.js';
import { whenUnlocked } from '../../lib/database/sqlite/lock-wait.js';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { overwriteDeleted, wipeFreeSpace } from '../../lib/database/sqlite/wipe.js';
import type { LedgerDatabase } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import { forgetInWatches } from '../files/watch/stored-watches.js';
import { forgetInMemory } from '../lines/memory/forget-in-memory.js';
import { forgetInHealth } from '../service/health/forget-in-health.js';
import { forgetInJobs } from '../service/jobs/forget-in-jobs.js';
import { forgetInEarlierArchives, recordsInFiles } from '../service/jobs/results/earlier-archives.js';
import { earlierJobs } from '../service/jobs/results/earlier-results.js';
import { forgetInResultRows, noteForgotten } from '../service/jobs/results/forget-in-result-rows.js';
import { ResultsFiles } from '../service/jobs/results/results-files.js';
import { forgetInUnsentAlerts } from '../service/notify/stored-unsent-alerts.js';
import { type Forgotten, forgottenIn, notReached, pause } from './forgotten.js';
import { openSeenNames, stateFile } from './open-state.js';

const busyNote =
  'Another program has the file open. Deleted data is overwritten once that program has ended and `extract forget` runs again.';

async function forgetInCache(file: string, clock: Clock, traces: Traces): Promise<Forgotten | null> {
  // A damaged cache that was moved aside is never read again.
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}.damaged${suffix}`, { force: true });
  if (!existsSync(file)) return null;
  const db = await openSqliteFile(file);
  try {
    overwriteDeleted(db);
    const isFilled = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'answers'").get() !== undefined;
    const removed = await whenUnlocked(clock, () => (isFilled ? forgetInAnswers(queriesOn(db), traces) : 0));
    return forgottenIn('cached answers', removed, wipeFreeSpace(db) ? null : busyNote);
  } finally {
    db.close();
  }
}

/** Removes a subject from the lines of jobs. Runs first, because a killed run is repeated. */
async function forgetInResults(
  results: DatabaseFile,
  stores: LedgerDatabase['stores'],
  traces: Traces,
): Promise<Forgotten> {
  if (!results.exists) return forgottenIn('results of jobs', 0);
  const db = await results.driver();
  overwriteDeleted(db);
  const forgotten = await results.transaction((queries) => forgetInResultRows(queries, traces));
  await stores.transaction((queries) => noteForgotten(queries, forgotten));
  return forgottenIn('results of jobs', forgotten.lines, wipeFreeSpace(db) ? null : busyNote);
}

async function forgetInState(home: string, clock: Clock, traces: Traces): Promise<readonly Forgotten[]> {
  if (!existsSync(path.join(home, 'state.db'))) return [];
  await (await openSeenNames(home, clock)).close();
  const file = stateFile(home, clock);
  try {
    const db = await file.driver();
    overwriteDeleted(db);
    const memoryRows = await file.transaction((queries) => forgetInMemory(queries, traces));
    const others = await file.transaction(
      async (queries) =>
        (await forgetInWatches(queries, traces)) + (await forgetInUnsentAlerts(queries, traces)),
    );
    const note = wipeFreeSpace(db) ? null : busyNote;
    return [
      forgottenIn('what --new remembers', memoryRows, note),
      forgottenIn('what watches remember', others, note),
    ];
  } finally {
    await file.close();
  }
}

/**
 * Removes a subject from all files of a data directory. If the process is killed or the signal aborts it, run it again.
 */
export async function forgetInDirectory(
  home: string,
  { db, stores }: LedgerDatabase,
  results: DatabaseFile,
  {
    clock,
    traces,
    signal,
  }: { readonly clock: Clock; readonly traces: Traces; readonly signal: AbortSignal | undefined },
): Promise<readonly Forgotten[]> {
  overwriteDeleted(db);
  const histories = await stores.transaction((queries) => forgetInMemory(queries, traces));
  const jobs = await stores.transaction((queries) => forgetInJobs(queries, traces));
  const health = await stores.transaction((queries) => forgetInHealth(queries, traces));
  const wiped = wipeFreeSpace(db);
  // No pause before the lines: a job could write another one.
  const lines = await forgetInResults(results, stores, traces);
  const files = new ResultsFiles(home);
  const archives = await forgetInEarlierArchives(stores, recordsInFiles(files), traces);
  for (const id of await files.ids()) await files.removeDownloads(id);
  await pause(signal);
  const answers = await forgetInCache(path.join(home, 'answers.db'), clock, traces);
  await pause(signal);
  const state = await forgetInState(home, clock, traces);
  return [
    forgottenIn('histories of schedules', histories),
    forgottenIn('inputs and notices of jobs and schedules', jobs, wiped ? null : busyNote),
    forgottenIn('errors of endpoints', health),
    lines,
    forgottenIn('archives of jobs', archives),
    ...(answers === null ? [] : [answers]),
    ...state,
    ...(await readdir(path.join(home, 'chains')).catch((): string[] => [])).map((file) =>
      notReached(
        `lines of an unfinished chain (chains/${file})`,
        'Finish it with --resume, or delete the file.',
      ),
    ),
    ...(await earlierJobs(home)).map((id) =>
      notReached(
        `results of the job ${id}`,
        'An earlier version wrote them. Start the server, which moves them, and run `extract forget` again.',
      ),
    ),
  ];
}
