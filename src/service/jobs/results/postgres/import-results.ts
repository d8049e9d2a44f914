import type { Queries } from '../../../../../lib/database/queries.js';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { unfinishedName } from '../../../../files/archive/archive-writer.js';
import { importRecords } from '../../archives/postgres/import-records.js';
import { type JobRow, toJobAtWork } from '../../job-row.js';
import { makeDay, resultsDay } from '../../postgres/results-days.js';
import type { ResultsFiles } from '../results-files.js';
import { LostLines } from '../results-writer.js';
import { storedLines } from '../stored-lines.js';

/** Lines, and characters of lines, that are written at once. */
const [maxLines, maxCharacters] = [1_000, 1024 * 1024];

/**
 * Moves the lines of jobs, whose rows are there, from their files into the database; inside a transaction. Resolves with
 * their number. Rejects `invalid_parameter` where a file holds less than its job has written.
 */
export async function importResults(
  queries: Queries,
  files: ResultsFiles,
  signal: AbortSignal,
): Promise<number> {
  let moved = 0;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const [row] = await queries.rows<JobRow>(
      `SELECT * FROM jobs WHERE id > $1 AND deleted = 0 AND (completed + failed > 0 OR archive_bytes > 0)
       ORDER BY id LIMIT 1`,
      [after],
    );
    if (row === undefined) break;
    after = row.id;
    moved += await importJob(queries, files, row);
    if (row.archive_bytes > 0) await importRecords(queries, unfinishedName(files.archive(row.id)), row.id);
  }
  await queries.run('UPDATE jobs SET late_bytes = 0 WHERE late_bytes > 0');
  return moved;
}

async function importJob(queries: Queries, files: ResultsFiles, row: JobRow): Promise<number> {
  const day = resultsDay(row.created_at);
  await makeDay(queries, day);
  let characters = 0;
  // The last line of an input is the one that counts.
  const lines = new Map<number, string>();
  const flush = async () => {
    await queries.run(
      `INSERT INTO job_results (day, job, place, line)
       SELECT $1, $2, place, line FROM unnest($3::int[], $4::text[]) AS lines (place, line)
       ON CONFLICT (day, job, place) DO UPDATE SET line = excluded.line`,
      [day, row.id, [...lines.keys()], [...lines.values()]],
    );
    characters = 0;
    lines.clear();
  };
  try {
    for await (const { index, line } of storedLines(files, toJobAtWork(row))) {
      lines.set(index, line);
      characters += line.length;
      if (lines.size >= maxLines || characters >= maxCharacters) await flush();
    }
  } catch (cause) {
    if (cause instanceof LostLines) throw lostResults(row, cause.message, cause);
    throw cause;
  }
  if (lines.size > 0) await flush();
  const counted = await queries.first<{ readonly lines: number }>(
    'SELECT count(*) AS lines FROM job_results WHERE day = $1 AND job = $2',
    [day, row.id],
  );
  const moved = counted?.lines ?? 0;
  // The lines of inputs that a cancelled job never ran are written later.
  if (row.status === 'cancelled' || moved === row.completed + row.failed) return moved;
  throw lostResults(
    row,
    `${moved} lines are in its files, and ${row.completed + row.failed} inputs have ended.`,
  );
}

function lostResults({ id, finished_at }: JobRow, what: string, cause?: unknown): ExtractError {
  const remedy =
    finished_at === null
      ? 'Let a server run on the data directory, which makes them anew.'
      : 'Put the file back from a backup, or wait until the results have expired.';
  return new ExtractError(
    'invalid_parameter',
    `The results of the job ${id} are not whole: ${what} ${remedy}`,
    {
      cause,
    },
  );
}
