import { crc32 } from 'node:zlib';
import type { Queries } from '../../../../lib/database/queries.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { forgottenLine } from './forgotten-line.js';

const ofKey = 'WHERE day = $1 AND job = $2 AND place = $3';

export interface ForgottenLines {
  readonly lines: number;
  readonly jobs: readonly string[];
}

/** Removes a subject from result lines, inside a transaction. */
export async function forgetInResultRows(queries: Queries, traces: Traces): Promise<ForgottenLines> {
  let count = 0;
  const jobs = new Set<string>();
  for (const parts of traces.parts) {
    const matches = [
      'true',
      ...parts.map((_, at) => `${queries.dialect.position('lower(line)', `$${at + 1}`)} > 0`),
    ];
    const keys = await queries.rows<{ day: number; job: string; place: number }>(
      `SELECT day, job, place FROM job_results WHERE ${matches.join(' AND ')}`,
      parts,
    );
    // One line in memory at a time: each may contain all pages of a list.
    for (const { day, job, place } of keys) {
      const key = [day, job, place];
      const [row] = await queries.rows<{ line: string }>(`SELECT line FROM job_results ${ofKey}`, key);
      const { line = '' } = row ?? {};
      const forgotten = forgottenLine(Buffer.from(line), traces).toString();
      if (forgotten === line) continue;
      jobs.add(job);
      const values = [...key, forgotten, crc32(forgotten)];
      count += await queries.run(`UPDATE job_results SET line = $4, crc = $5 ${ofKey}`, values);
    }
  }
  return { lines: count, jobs: [...jobs] };
}

/** Records in the jobs' rows that lines changed, so that files created before are outdated. */
export async function noteForgotten(queries: Queries, { jobs }: ForgottenLines): Promise<void> {
  await queries.run(`UPDATE jobs SET forgotten = forgotten + 1 WHERE id ${queries.dialect.anyOf('$1')}`, [
    jobs,
  ]);
}
