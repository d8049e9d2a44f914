import type { Queries } from '../../../../../lib/database/queries.js';
import type { Traces } from '../../../../../lib/suppressions/traces.js';
import { forgottenLine } from '../forgotten-line.js';

const ofKey = 'WHERE day = $1 AND job = $2 AND place = $3';

/** Takes a subject out of the result lines of a database. Gives how many have changed. To be called in a transaction. */
export async function forgetInResultRows(queries: Queries, traces: Traces): Promise<number> {
  let changed = 0;
  const jobs = new Set<string>();
  for (const parts of traces.parts) {
    const stand = ['true', ...parts.map((_, at) => `position($${at + 1} IN lower(line)) > 0`)];
    const keys = await queries.rows<{ day: number; job: string; place: number }>(
      `SELECT day, job, place FROM job_results WHERE ${stand.join(' AND ')}`,
      parts,
    );
    // One line in memory at a time: each may hold all pages of a list.
    for (const { day, job, place } of keys) {
      const key = [day, job, place];
      const [row] = await queries.rows<{ line: string }>(`SELECT line FROM job_results ${ofKey}`, key);
      const { line = '' } = row ?? {};
      const forgotten = forgottenLine(Buffer.from(line), traces).toString();
      if (forgotten === line) continue;
      jobs.add(job);
      changed += await queries.run(`UPDATE job_results SET line = $4 ${ofKey}`, [...key, forgotten]);
    }
  }
  await queries.run('UPDATE jobs SET forgotten = forgotten + 1 WHERE id = ANY($1)', [[...jobs]]);
  return changed;
}
