import pLimit from 'p-limit';
import type { Database } from './database.js';

/**
 * The same database for work on many rows: of the transactions begun here one is open at a time. Where transactions share a
 * file, those of others then come in between.
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
