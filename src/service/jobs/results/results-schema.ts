import { crc32 } from 'node:zlib';
import type { ColumnTypes, Dialect } from '../../../../lib/database/dialect.js';
import type { PreparedRows, Queries } from '../../../../lib/database/queries.js';
import type { TableSchema } from '../../../../lib/database/table-schema.js';

/**
 * The table of result lines. PostgreSQL has one partition per day, so that expired results are dropped without touching
 * a row. `crc` is the CRC-32 of the line; null in rows of earlier versions.
 */
export const resultsTable = ({ id, text, integer, endOfLong }: ColumnTypes, { name }: Dialect) => `
    CREATE TABLE job_results (
      day ${integer} NOT NULL,
      job ${id} NOT NULL,
      place ${integer} NOT NULL,
      line ${text} NOT NULL,
      crc ${integer},
      PRIMARY KEY (day, job, place)
    ) ${name === 'postgres' ? 'PARTITION BY LIST (day)' : endOfLong};`;

/** A data directory's results, in a separate file, `results.db`. In a database they are part of the jobs' schema. */
export const resultsSchema: TableSchema = {
  name: 'results',
  tables: resultsTable,
  imports: { tables: [{ table: 'job_results' }] },
};

export interface LineRow {
  readonly place: number;
  readonly line: string;
  readonly crc: number | null;
}

const insert: PreparedRows<Record<'day' | 'place' | 'crc', 'integer'> & Record<'job' | 'line', 'text'>> = {
  name: 'job_results_insert',
  columns: { day: 'integer', job: 'text', place: 'integer', line: 'text', crc: 'integer' },
  // Without a condition before it, SQLite would parse ON as a join's.
  text: (records) => `INSERT INTO job_results (day, job, place, line, crc)
    SELECT day, job, place, line, crc FROM ${records} WHERE true
    ON CONFLICT (day, job, place) DO UPDATE SET line = excluded.line, crc = excluded.crc`,
};

/** Writes lines of a job, replacing earlier ones. */
export async function writeLines(
  queries: Queries,
  day: number,
  job: string,
  lines: ReadonlyMap<number, string>,
): Promise<void> {
  const rows = [...lines].map(([place, line]) => ({ day, job, place, line, crc: crc32(line) }));
  await queries.runAll(insert, rows);
}

export async function measureLines(
  queries: Queries,
  day: number,
  job: string,
  from: number,
  to: number,
): Promise<{ readonly lines: number; readonly bytes: number }> {
  const measured = await queries.first<{ readonly lines: number; readonly bytes: number }>(
    {
      name: 'job_results_measure',
      text: `SELECT count(*) AS lines, coalesce(sum(octet_length(line)), 0) AS bytes FROM job_results
             WHERE day = $1 AND job = $2 AND place >= $3 AND place < $4`,
    },
    [day, job, from, to],
  );
  return measured ?? { lines: 0, bytes: 0 };
}
