import { type SqliteFault, sqliteFault } from '../sqlite-fault.js';

const reasons: Readonly<Record<SqliteFault, string>> = {
  full: 'its disk is full; free some space',
  unwritable: 'it cannot be opened for writing; check the permissions of the data directory',
  locked: 'another program keeps it locked',
  damaged: 'it is damaged or is not a cache; “extract cache clear” begins a new one',
  unreadable: 'its disk failed; check the disk',
  uninstalled:
    'the SQLite module of this installation does not fit this Node.js; install the package again with the Node.js that runs it',
  unknown: 'it failed',
};

/** What a user is told of a cache file that cannot be used, with the cause. */
export function cacheFault(cause: unknown): Error {
  return new Error(`The cache file is left aside for now: ${reasons[sqliteFault(cause)]}.`, { cause });
}
