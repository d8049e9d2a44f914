import type { Queries } from '../../../lib/database/queries.js';
import type { Traces } from '../../../lib/suppressions/traces.js';

const pageSize = 500;

/** Replaces an input that mentioned a subject. Like any input without parameters, it fails and is refunded. */
const forgottenInput = '{}';

async function forgetInputs(
  queries: Queries,
  { table, owner }: { readonly table: 'job_inputs' | 'schedule_inputs'; readonly owner: 'job' | 'schedule' },
  traces: Traces,
): Promise<number> {
  let count = 0;
  const isSchedule = table === 'schedule_inputs';
  for (let last = { id: '', place: -1 }; ; ) {
    const rows = await queries.rows<{ id: string; place: number; input: string; given: string | null }>(
      `SELECT ${owner} AS id, place, input, ${isSchedule ? 'given' : 'NULL AS given'} FROM ${table}
       WHERE ${owner} > $1 OR (${owner} = $1 AND place > $2) ORDER BY ${owner}, place LIMIT ${pageSize}`,
      [last.id, last.place],
    );
    for (const { id, place, input, given } of rows) {
      if (traces.in(input))
        count += await queries.run(
          `UPDATE ${table} SET input = $3${isSchedule ? ', given = NULL' : ''} WHERE ${owner} = $1 AND place = $2`,
          [id, place, forgottenInput],
        );
      else if (traces.in(given))
        count += await queries.run(
          'UPDATE schedule_inputs SET given = NULL WHERE schedule = $1 AND place = $2',
          [id, place],
        );
    }
    const end = rows.at(-1);
    if (end === undefined) return count;
    last = end;
  }
}

/** Empties a column of free texts that mention a subject. */
async function emptyColumn(
  queries: Queries,
  table: string,
  [key, ...more]: readonly [string, ...string[]],
  column: string,
  traces: Traces,
): Promise<number> {
  let count = 0;
  const keys = [key, ...more];
  const rows = await queries.rows<Readonly<Record<string, string | number | null>>>(
    `SELECT ${keys.join(', ')}, ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  for (const row of rows) {
    if (typeof row.text !== 'string' || !traces.in(row.text)) continue;
    const where = keys.map((name, at) => `${name} = $${at + 1}`).join(' AND ');
    count += await queries.run(
      `UPDATE ${table} SET ${column} = NULL WHERE ${where}`,
      keys.map((name) => row[name] ?? null),
    );
  }
  return count;
}

/**
 * Removes a subject from the inputs of running jobs and of schedules, from their names, and from unsent notices.
 * Returns the number of changed rows. Must run in a transaction.
 */
export async function forgetInJobs(queries: Queries, traces: Traces): Promise<number> {
  return (
    (await forgetInputs(queries, { table: 'job_inputs', owner: 'job' }, traces)) +
    (await forgetInputs(queries, { table: 'schedule_inputs', owner: 'schedule' }, traces)) +
    (await emptyColumn(queries, 'jobs', ['id'], 'name', traces)) +
    (await emptyColumn(queries, 'schedules', ['id'], 'name', traces)) +
    (await emptyColumn(queries, 'schedule_runs', ['schedule', 'number'], 'notice', traces)) +
    (await forgetRequests(queries, traces))
  );
}

/** The response to an idempotency key contains the job, whose name may mention the subject. */
async function forgetRequests(queries: Queries, traces: Traces): Promise<number> {
  let count = 0;
  const rows = await queries.rows<{ account: string; key: string; answer: string }>(
    'SELECT account, key, answer FROM job_requests',
  );
  for (const { account, key, answer } of rows.filter((row) => traces.in(row.answer))) {
    const nameless = JSON.stringify(
      JSON.parse(answer, (name, value: unknown) => (name === 'name' ? null : value)),
    );
    count += await queries.run('UPDATE job_requests SET answer = $3 WHERE account = $1 AND key = $2', [
      account,
      key,
      nameless,
    ]);
  }
  return count;
}
