import path from 'node:path';
import { DatabaseFile } from '../../lib/database/sqlite/database-file.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { endpoints } from '../../lib/endpoints.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { memorySchema } from '../lines/memory/memory-schema.js';
import { SeenNames } from '../lines/memory/seen-names.js';
import { takeOverNames } from '../lines/memory/sqlite/take-over-names.js';

/** Opens the memory of runs with `--new`, and migrates what an earlier version remembered. */
export async function openSeenNames(home: string, clock: Clock) {
  const database = new DatabaseFile({
    ...{ file: path.join(home, 'state.db'), clock, schema: sqliteSchema(memorySchema), pageSize: 4096 },
    remedy: 'Move it away: what was remembered is then given again.',
  });
  const objectOf = (wanted: string) =>
    endpoints.find(({ path: one }) => one === wanted)?.returns.meta()?.id ?? wanted;
  try {
    await takeOverNames(database, objectOf);
  } catch (cause) {
    await database.close();
    throw cause;
  }
  return { database, names: new SeenNames(database, clock), close: () => database.close() };
}
