import pLimit from 'p-limit';
import type { Database } from './database.js';

/**
 * Returns the same database for work on many rows: only one of its transactions is open at a time, so that in a shared
 * file other transactions get their turn in between.
 */
export function oneAtATime(database: Database): Database {
  const queue = pLimit(1);
  return {
    dialect: database.dialect,
    isRemote: database.isRemote,
    read: (work) => database.read(work),
    write: (work) => database.write(work),
    transaction: (work) => queue(() => database.transaction(work)),
  };
}
