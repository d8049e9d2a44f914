import type { Queries } from '../../database/queries.js';

/**
 * Sorts a quarter of a megabyte in a quarter of the memory it needs. The rest goes to temporary files next to the
 * tables, deleted immediately.
 */
const sortOnDisk = `SELECT count(*) FROM (
  SELECT repeat(md5(n::text), 8) AS row FROM generate_series(1, 1000) AS n ORDER BY row OFFSET 0
) AS sorted`;

/**
 * Rejects if the disk of the tables is full, inside a transaction. Updating existing rows would prove nothing: their
 * pages have free space and can be updated on a full disk for a long time.
 */
export async function checkRoom(queries: Queries): Promise<void> {
  await queries.run(`SET LOCAL work_mem = '64kB'`);
  await queries.rows(sortOnDisk);
}
