import path from 'node:path';
import { DatabaseFile } from '../../lib/database/sqlite/database-file.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { checkLedger } from '../../lib/ledger/sqlite/integrity.js';
import { type LedgerDatabase, openLedger, type SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { cursorSecret } from '../../lib/runtime/secret.js';
import type { PaceStore } from '../../lib/web/pace-store.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import { readDatabaseConfig } from '../config/database-config.js';
import { keyedDigest } from '../service/accounts/digests.js';
import { holdAccount } from '../service/accounts/users.js';
import type { Operator } from '../service/audit/audit-log.js';
import { resultsSchema } from '../service/jobs/results/results-schema.js';
import { type JobStores, openDirectoryJobs } from '../service/jobs/sqlite/open-directory-jobs.js';
import { SqliteJobs } from '../service/jobs/sqlite/sqlite-jobs.js';
import { measureDirectory } from '../service/usage/measure-disk.js';
import { accountMoney } from './account-money.js';
import { forgetInDirectory } from './forget-in-directory.js';
import type { OpenStore } from './stores.js';
import { commonSchemas, commonStores } from './table-stores.js';

export function openPace(home: string, clock: Clock): PaceStore {
  return paceInFile(home, clock);
}

export interface DirectoryStore extends OpenStore {
  readonly ledger: SqliteLedger;
  readonly database: LedgerDatabase;
  readonly results: DatabaseFile;
  readonly jobStores: JobStores;
}

/** The tables in the ledger's file, in addition to the ledger's own. */
export const storeSchemas = commonSchemas.map(sqliteSchema);

/**
 * Opens the stores of a server: in the configured database, otherwise in the data directory. The caller closes them.
 * Rejects with a `StorageError` if they cannot be used. `operator` runs the command, and is undefined in a server;
 * `resultDays` is how long results of jobs are stored.
 */
export async function openStore(
  home: string,
  clock: Clock,
  trialCredits: number,
  operator?: Operator,
  resultDays?: number,
): Promise<OpenStore> {
  const { database } = readDatabaseConfig();
  if (database === undefined) return openDirectory(home, clock, trialCredits, operator, resultDays);
  const { openDatabase } = await import('./open-postgres.js');
  return openDatabase(database, { home, clock, trialCredits, operator, resultDays });
}

export function openResults(home: string, clock: Clock): DatabaseFile {
  return new DatabaseFile({
    ...{ file: path.join(home, 'results.db'), clock, schemas: [sqliteSchema(resultsSchema)] },
    // Lines are long: with pages of 16 KiB, reads take two thirds of the time they take with 4 KiB (2026-11).
    pageSize: 16 * 1024,
    remedy: 'Restore a backup, or move it away, which loses the results of jobs.',
  });
}

/** Opens the stores of a data directory. The caller closes them. */
export async function openDirectory(
  home: string,
  clock: Clock,
  trialCredits: number,
  operator?: Operator,
  resultDays?: number,
): Promise<DirectoryStore> {
  const ledger = openLedger(path.join(home, 'ledger.db'), { clock, schemas: storeSchemas });
  const results = openResults(home, clock);
  try {
    const database = await ledger.database();
    const digest = keyedDigest(await cursorSecret(home));
    const jobs = new SqliteJobs(database, results, {
      ...{ clock, owner: database.owner, holdAccount, resultDays },
    });
    const pace = paceInFile(home, clock);
    const { stores, jobPorts } = commonStores({
      ...{ database: database.stores, clock, jobs, digest, trialCredits, operator, resultDays },
      money: accountMoney(database.owner),
      measure: () => measureDirectory(home),
      forget: (traces, signal) => forgetInDirectory(home, database, results, { clock, traces, signal }),
    });
    const jobStores = { ...jobPorts, database: database.stores, results };
    return {
      ...stores,
      ...{ ledger, database, results, pace, jobStores },
      check: () => database.read(() => checkLedger(database.db)),
      sharedCounts: undefined,
      expiringStore: undefined,
      shared: () => undefined,
      connections: () => null,
      async close() {
        for (const store of [results, ledger, pace]) await store.close();
      },
      createJobs: (options) => openDirectoryJobs({ ...options, stores: jobStores }),
    };
  } catch (cause) {
    await ledger.close();
    throw cause;
  }
}
