import { nativeModuleFault } from '../runtime/native-module.js';
import { type SqliteFault, sqliteFault } from '../sqlite/sqlite-fault.js';

const reasons: Readonly<Record<Exclude<SqliteFault, 'uninstalled'>, string>> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program keeps it locked.',
  damaged: 'It is damaged or is not a cache; “extract cache clear” begins a new one.',
  unreadable: 'Its disk failed; check the disk.',
  unknown: 'It failed.',
};

/** What a user is told of a cache file that cannot be used, with the cause. */
export function cacheFault(cause: unknown): Error {
  const fault = sqliteFault(cause);
  const reason = fault === 'uninstalled' ? nativeModuleFault(cause) : reasons[fault];
  return new Error(`The cache file is left aside for now. ${reason}`, { cause });
}
