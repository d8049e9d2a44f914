import path from 'node:path';
import { DatabaseFile } from '../../lib/database/sqlite/database-file.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { endpoints } from '../../lib/endpoints.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { StoredWatches, watchesSchema } from '../files/watch/stored-watches.js';
import { memorySchema } from '../lines/memory/memory-schema.js';
import { SeenNames } from '../lines/memory/seen-names.js';
import { takeOverNames } from '../lines/memory/sqlite/take-over-names.js';
import { StoredUnsentAlerts, unsentSchema } from '../service/notify/stored-unsent-alerts.js';

/** The file for commands' state between runs, apart from the ledger so that no call waits for it. */
export function stateFile(home: string, clock: Clock): DatabaseFile {
  return new DatabaseFile({
    ...{ file: path.join(home, 'state.db'), clock, pageSize: 4096 },
    schemas: [sqliteSchema(memorySchema), watchesSchema, unsentSchema],
    remedy: 'Move it away: remembered items are then returned again.',
  });
}

/** Opens the state of watches and unsent alerts. */
export function openState(home: string, clock: Clock) {
  const file = stateFile(home, clock);
  return {
    watches: new StoredWatches(file),
    untold: new StoredUnsentAlerts(file),
    close: () => file.close(),
  };
}

/** Opens the memory of runs with `--new`, and migrates what an earlier version remembered. */
export async function openSeenNames(home: string, clock: Clock) {
  const database = stateFile(home, clock);
  const objectOf = (path: string) =>
    endpoints.find(({ path: one }) => one === path)?.returns.meta()?.id ?? path;
  try {
    await takeOverNames(database, objectOf);
  } catch (cause) {
    await database.close();
    throw cause;
  }
  return { names: new SeenNames(database, clock), close: () => database.close() };
}
