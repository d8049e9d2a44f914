import type { Queries } from '../../database/queries.js';

/** Sorts a quarter of a megabyte in a quarter of that memory: the rest is written beside the tables, and gone at once. */
const sortOnDisk = `SELECT count(*) FROM (
  SELECT repeat(md5(n::text), 8) AS row FROM generate_series(1, 1000) AS n ORDER BY row OFFSET 0
) AS sorted`;

/**
 * Rejects where the disk of the tables is full. Rows that are there already can be changed on a full disk for long, as
 * their pages have room of their own: those tell nothing. Within a transaction.
 */
export async function checkRoom(queries: Queries): Promise<void> {
  await queries.run(`SET LOCAL work_mem = '64kB'`);
  await queries.rows(sortOnDisk);
}
