import pLimit from 'p-limit';
import type { Database } from './database.js';

/**
 * Limits a database to one open transaction, for work on many rows: in a shared file, other transactions then run in
 * between.
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
