import { forgetInAnswers } from '../../lib/cache/forget-in-answers.js';
import type { Postgres } from '../../lib/database/postgres/postgres.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import { forgetInMemory } from '../lines/memory/forget-in-memory.js';
import type { PostgresExpiringStore } from '../service/expiring-store/postgres/postgres-expiring-store.js';
import { forgetInHealth } from '../service/health/forget-in-health.js';
import { forgetInJobs } from '../service/jobs/forget-in-jobs.js';
import { forgetInEarlierArchives, recordsInRows } from '../service/jobs/results/earlier-archives.js';
import { forgetInResultRows, noteForgotten } from '../service/jobs/results/forget-in-result-rows.js';
import { type Forgotten, forgottenIn, pause } from './forgotten.js';

/** Tables whose files are vacuumed, because a deleted row remains in them. */
const emptied = [
  'history_objects',
  'history_appearances',
  'history_changes',
  'history_subjects',
  'job_inputs',
  'schedule_inputs',
  'job_results',
  'job_records',
  'answers',
  'transient_texts',
] as const;

/** Removes a subject from all tables of a database. If the process is killed or the signal aborts it, run it again. */
export async function forgetInDatabase(
  postgres: Postgres,
  expiring: PostgresExpiringStore,
  traces: Traces,
  signal?: AbortSignal,
): Promise<readonly Forgotten[]> {
  const histories = await postgres.transaction((queries) => forgetInMemory(queries, traces));
  const jobs = await postgres.transaction((queries) => forgetInJobs(queries, traces));
  const health = await postgres.transaction((queries) => forgetInHealth(queries, traces));
  const results = await postgres.transaction(async (queries) => {
    const forgotten = await forgetInResultRows(queries, traces);
    await noteForgotten(queries, forgotten);
    return forgotten.lines;
  });
  await pause(signal);
  const archives = await forgetInEarlierArchives(postgres, recordsInRows(postgres), traces);
  const answers = await postgres.transaction((queries) => forgetInAnswers(queries, traces));
  const texts = await expiring.forget((text) => traces.in(text));
  for (const table of emptied) {
    await pause(signal);
    await postgres.write((queries) => queries.run(`VACUUM ${table}`));
  }
  return [
    forgottenIn('histories of schedules', histories),
    forgottenIn('inputs and notices of jobs and schedules', jobs),
    forgottenIn('errors of endpoints', health),
    forgottenIn('results of jobs', results),
    forgottenIn('archives of jobs', archives),
    forgottenIn('cached answers', answers),
    forgottenIn('drafts and recent answers', texts),
  ];
}
