import type { Queries } from '../../../../../lib/database/queries.js';
import type { Traces } from '../../../../../lib/suppressions/traces.js';
import { forgottenLine } from '../forgotten-line.js';

/** Takes a subject out of the result lines of a database. Gives how many have changed. To be called in a transaction. */
export async function forgetInResultRows(queries: Queries, traces: Traces): Promise<number> {
  let changed = 0;
  const jobs = new Set<string>();
  for (const parts of traces.parts) {
    const stand = parts.map((_, at) => `position($${at + 1} IN lower(line)) > 0`);
    const rows = await queries.rows<{ day: number; job: string; place: number; line: string }>(
      `SELECT day, job, place, line FROM job_results WHERE ${stand.join(' AND ')}`,
      parts,
    );
    for (const { day, job, place, line } of rows) {
      const forgotten = forgottenLine(Buffer.from(line), traces).toString();
      if (forgotten === line) continue;
      jobs.add(job);
      changed += await queries.run(
        'UPDATE job_results SET line = $4 WHERE day = $1 AND job = $2 AND place = $3',
        [day, job, place, forgotten],
      );
    }
  }
  await queries.run('UPDATE jobs SET forgotten = forgotten + 1 WHERE id = ANY($1)', [[...jobs]]);
  return changed;
}
