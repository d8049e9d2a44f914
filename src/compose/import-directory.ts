import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseConfig } from '../../lib/database/postgres/connect.js';
import { longTransaction } from '../../lib/database/postgres/long-transaction.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import type { Queries } from '../../lib/database/queries.js';
import type { Database } from '../../lib/database/sqlite/driver.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { imbalancesIn, wrongSumsIn } from '../../lib/ledger/imbalance.js';
import { checkLedger, hasOpenCalls } from '../../lib/ledger/sqlite/integrity.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { lockFile } from '../../lib/runtime/file-lock.js';
import { makeFolder } from '../../lib/runtime/make-folder.js';
import { findSecret, storeSecret } from '../../lib/runtime/postgres/database-secret.js';
import { cursorSecret } from '../../lib/runtime/secret.js';
import type { Operator } from '../service/audit/audit-log.js';
import { appendAct } from '../service/audit/audit-store.js';
import { importRecords } from '../service/jobs/results/earlier-archives.js';
import { EarlierResults } from '../service/jobs/results/earlier-results.js';
import { makeDays, refuseMissingLines } from '../service/jobs/results/postgres/import-jobs.js';
import { ResultsFiles } from '../service/jobs/results/results-files.js';
import { resultsSchema } from '../service/jobs/results/results-schema.js';
import { fillTables, requireEmpty } from './database-import/postgres/fill-tables.js';
import type { MovedTable } from './database-import/row-source.js';
import { tableRows } from './database-import/sqlite/table-rows.js';
import { migrateTables, postgresSchemas } from './database-tables.js';
import { openResults, storeSchemas } from './open-store.js';

/** Filled from files, so they must be empty. A server that was started has its secret there. */
const moreTables = ['job_results', 'secrets'] as const;

export interface ImportOptions {
  readonly home: string;
  readonly config: DatabaseConfig;
  readonly clock: Clock;
  readonly operator: Operator;
  /** Cancels the import; nothing is written. */
  readonly signal: AbortSignal;
}

/**
 * Moves the state of a data directory into an empty database, in one transaction: all of it or nothing. The directory
 * is not changed, and must not be in use, which is checked. Rejects `invalid_parameter` for a directory that is in use
 * or has no ledger, and for a database that is not empty.
 */
export async function importDirectory(options: ImportOptions): Promise<readonly MovedTable[]> {
  const { home, config, clock } = options;
  const file = path.join(home, 'ledger.db');
  if (!existsSync(file)) {
    throw new ExtractError(
      'invalid_parameter',
      `There is no ledger in ${home}. Name the data directory of a server.`,
    );
  }
  await migrateTables(config, clock);
  const release = await holdJobs(home);
  const ledger = openLedger(file, { clock, schemas: storeSchemas });
  const results = openResults(home, clock);
  try {
    // Migrates the file to this version and refunds what killed processes left open.
    const { db, stores: database } = await ledger.database();
    checkLedger(db);
    const onError = (_: string, cause: unknown) => {
      throw cause;
    };
    await new EarlierResults({ home, database, results, clock, onError }).moveAll(options.signal);
    const lines = await results.driver();
    // No other process can write until the end; readers can continue.
    db.exec('BEGIN IMMEDIATE');
    try {
      refuseOpenCalls(db, home);
      return await longTransaction(config.url, 'import', clock, (queries) =>
        fill(queries, db, lines, options),
      );
    } finally {
      db.exec('ROLLBACK');
    }
  } finally {
    await results.close();
    await ledger.close();
    release();
  }
}

async function holdJobs(home: string): Promise<() => void> {
  const folder = path.join(home, 'jobs');
  makeFolder(folder);
  const lock = await lockFile(path.join(folder, 'runner.lock'));
  if (lock !== null) return () => lock.release();
  throw new ExtractError('invalid_parameter', `A server is using ${home}. Stop it and start again.`);
}

/** Throws `invalid_parameter` if a running process has open calls. */
function refuseOpenCalls(db: Database, home: string): void {
  if (!hasOpenCalls(db)) return;
  throw new ExtractError(
    'invalid_parameter',
    `A process is making calls with ${home}. Stop it or wait for it to end, then start again.`,
  );
}

/**
 * Throws `invalid_parameter` for a database that already contains this directory. Someone repeating a command that was
 * killed after its commit would otherwise read that the database is in use, and start over with another.
 */
async function refuseImported(queries: Queries, home: string): Promise<void> {
  const secret = await findSecret(queries);
  if (secret?.equals(await cursorSecret(home)) !== true) return;
  throw new ExtractError(
    'invalid_parameter',
    `The database already contains ${home}: an earlier import is complete. Start the server with EXTRACT_DATABASE_URL. Later changes to the directory are not included; to import it again, create a new database (createdb).`,
  );
}

async function fill(
  queries: Queries,
  db: Database,
  results: Database,
  { home, signal, operator, clock }: ImportOptions,
): Promise<readonly MovedTable[]> {
  await refuseImported(queries, home);
  await requireEmpty(queries, postgresSchemas, moreTables);
  await makeDays(queries, results);
  const tables = await fillTables(queries, postgresSchemas, tableRows(db), signal);
  const lines = await fillTables(queries, [postgresSchema(resultsSchema)], tableRows(results), signal);
  await refuseMissingLines(queries);
  await importRecords(queries, new ResultsFiles(home), signal);
  await storeSecret(queries, await cursorSecret(home));
  await checkBooks(queries);
  const details = { results: lines[0]?.rows ?? 0 };
  await appendAct(queries, { act: 'data.import', details }, operator, clock.now());
  return [...tables, ...lines];
}

async function checkBooks(queries: Queries): Promise<void> {
  const [wrong] = await imbalancesIn(queries);
  const [sum] = await wrongSumsIn(queries);
  const account = wrong?.account ?? sum?.account;
  if (account === undefined) return;
  throw new StorageError(
    'failed',
    `The balance of the account ${account} does not add up in the database. The import was rolled back; please report it.`,
  );
}
