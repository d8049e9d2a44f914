import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { Queries } from '../queries.js';
import { connectAlone, endAlone, migrationTimeouts } from './connect.js';
import { isLost, postgresFault } from './postgres-fault.js';
import { queriesOn } from './queries.js';

/**
 * Runs work in one transaction on a dedicated connection, however long it takes. If the work throws or the process
 * ends, nothing is written. Runs once. Rejects with errors of the catalogue: a `StorageError` if the database cannot be
 * used.
 */
export async function longTransaction<T>(
  url: string,
  purpose: string,
  clock: Clock,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const client = await connectAlone(url, purpose, migrationTimeouts).catch((cause: unknown) => {
    throw postgresFault(cause);
  });
  try {
    const queries = queriesOn(client);
    await queries.run('BEGIN');
    const value = await work(queries);
    await queries.run('COMMIT').catch((fault: unknown) => {
      if (!isLost(fault)) throw fault;
      throw new StorageError(
        'unreachable',
        'The connection to the database was lost during the commit, so it is unknown whether the import was saved. Check before you start again.',
        { cause: fault },
      );
    });
    return value;
  } finally {
    // Without a COMMIT, closing the connection undoes everything.
    await endAlone(client, clock);
  }
}
