import type { Client } from 'pg';
import { ExtractError, invalidParameter } from '../../errors/extract-error.js';
import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { Queries } from '../queries.js';
import { changesFrom, type SchemaChange, schemaVersion } from '../schema-sql.js';
import { connectAlone, defaultTimeouts, endAlone, migrationTimeouts } from './connect.js';
import { isConflict, postgresFault } from './postgres-fault.js';
import { queriesOn, query } from './queries.js';
import { refusePooler } from './refuse-pooler.js';
import type { AnySchema, LibrarySchema } from './table-schema.js';

/** The migration state of a module's tables. */
export interface SchemaState {
  readonly name: string;
  /** Version of the tables in the database; 0 if there are none. */
  readonly version: number;
  /** Version that this program creates. */
  readonly expected: number;
}

const oldestServer = 15;
/** Arbitrary, the same in all versions: one process migrates while the others wait. */
const lockId = 7_238_471_002;
/**
 * Milliseconds for which a step waits for a table's lock. Every other query waits behind it, and a call has several.
 */
const maxLockMs = 250;
/** Attempts to get it, and the pause between them: two minutes in total. */
const maxTries = 160;
const pauseMs = 500;
/** How long to wait for another process's migration. */
const maxWaitMs = 10 * 60_000;

/** How long to wait for the database before migrating. */
const probeMs = defaultTimeouts.answer;
const silent = () =>
  new StorageError(
    'unreachable',
    'The database did not respond in time. Check what keeps it busy, and start again.',
    {
      retryAfter: 5,
    },
  );

const versionsTable = `
  CREATE TABLE IF NOT EXISTS schema_versions (
    name text PRIMARY KEY,
    version integer NOT NULL
  )`;

async function versionsOf(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const table = await queries.first<{ readonly there: boolean }>(
    `SELECT to_regclass('schema_versions') IS NOT NULL AS there`,
  );
  if (table?.there !== true) return new Map();
  const rows = await queries.rows<{ readonly name: string; readonly version: number }>(
    'SELECT name, version FROM schema_versions',
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

const isLibrarys = (schema: AnySchema): schema is LibrarySchema => 'migrate' in schema;

/** Returns the state of each schema's tables, in order. Changes nothing. */
export async function schemaStates(
  queries: Queries,
  schemas: readonly AnySchema[],
): Promise<readonly SchemaState[]> {
  const versions = await versionsOf(queries);
  const states: SchemaState[] = [];
  for (const schema of schemas) {
    const { name } = schema;
    states.push(
      isLibrarys(schema)
        ? { name, version: await schema.version(queries), expected: schema.expected }
        : { name, version: versions.get(name) ?? 0, expected: schemaVersion(schema) },
    );
  }
  return states;
}

/** Throws `internal_error` if a later version of this program has created tables. */
export function refuseNewer(states: readonly SchemaState[]): void {
  const newer = states.find(({ version, expected }) => version > expected);
  if (newer === undefined) return;
  throw new ExtractError(
    'internal_error',
    `The ${newer.name} tables in the database were created by a later version of this program. Install that version or a newer one.`,
  );
}

export async function refuseOldServer(queries: Queries): Promise<void> {
  const state = await queries.first<{ readonly name: string; readonly version: number }>(
    `SELECT current_setting('server_version') AS name, current_setting('server_version_num')::int AS version`,
  );
  if (state === undefined || state.version >= oldestServer * 10_000) return;
  throw invalidParameter(
    `The database is PostgreSQL ${state.name}. Upgrade it: ${oldestServer} or newer is needed.`,
  );
}

async function runChange(client: Client, name: string, { sql, version }: SchemaChange): Promise<void> {
  await query(client, 'BEGIN');
  try {
    // Several statements in one text must be sent without values.
    await client.query(sql);
    await query(
      client,
      `INSERT INTO schema_versions (name, version) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET version = excluded.version`,
      [name, version],
    );
    await query(client, 'COMMIT');
  } catch (cause) {
    await query(client, 'ROLLBACK').catch(() => undefined);
    throw stepFault(postgresFault(cause), name);
  }
}

/** Returns the error that blocks a step, unless the database itself failed. */
function stepFault(fault: ExtractError, name: string): ExtractError {
  const { code } = (fault.cause ?? {}) as { readonly code?: unknown };
  if (code !== '42P07' && code !== '42710') return fault;
  return new StorageError(
    'unwritable',
    `The database contains another program's tables with the names of the ${name} tables. Use a separate database in EXTRACT_DATABASE_URL.`,
    { cause: fault.cause },
  );
}

/** Adds the program with the longest open transaction to the error, if there is one. */
async function withBlocker(queries: Queries, cause: StorageError): Promise<StorageError> {
  const oldest = await queries
    .first<{ readonly pid: number; readonly program: string; readonly seconds: number }>(
      `SELECT pid, application_name AS program, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND backend_type = 'client backend' AND xact_start IS NOT NULL ORDER BY xact_start LIMIT 1`,
    )
    .catch(() => undefined);
  if (oldest === undefined) return cause;
  const { pid, program, seconds } = oldest;
  return new StorageError(
    'locked',
    `The tables cannot be changed while other transactions use them. The oldest has been open for ${seconds} s (process ${pid} of the database, ${program || 'without a name'}). End it, and start again.`,
    { cause: cause.cause, retryAfter: 60 },
  );
}

async function runPatiently(client: Client, name: string, change: SchemaChange, clock: Clock): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runChange(client, name, change);
    } catch (cause) {
      // Everything else queues behind a wait for a table's lock, so the step gives up and retries.
      const isLocked = cause instanceof StorageError && cause.fault === 'locked';
      if (!(isLocked || isConflict(cause))) throw cause;
      if (tries >= maxTries) throw await withBlocker(queriesOn(client), cause as StorageError);
    }
    await clock.sleep(pauseMs);
  }
}

/**
 * Migrates the schemas' tables to this version, step by step. Returns the versions they had. Each step runs once,
 * however many processes start concurrently, and while servers are running. Rejects with `internal_error` for tables of
 * a later version, and with a `StorageError` if the database cannot be used. Each attempt waits `lockMs` milliseconds
 * for a table.
 */
export async function migrateDatabase(
  url: string,
  schemas: readonly AnySchema[],
  clock: Clock,
  { lockMs = maxLockMs }: { readonly lockMs?: number } = {},
): Promise<readonly SchemaState[]> {
  let client: Client | undefined;
  try {
    client = await connectAlone(url, 'migration', { ...migrationTimeouts, lock: lockMs });
    const queries = queriesOn(client);
    // A migration takes time in proportion to the rows. A check does not, and most starts need only that.
    const probe = refusePooler(client, url, clock)
      .then(() => refuseOldServer(queries))
      .then(() => schemaStates(queries, schemas));
    const before = await withTimeout(probe, probeMs, clock, silent);
    refuseNewer(before);
    if (before.every(({ version, expected }) => version === expected)) return before;
    await lockMigration(queries, clock);
    await queries.run(versionsTable);
    const states = await schemaStates(queries, schemas);
    refuseNewer(states);
    for (const [index, schema] of schemas.entries()) {
      if (isLibrarys(schema)) {
        if (states[index]?.version !== schema.expected) await schema.migrate(queries);
        continue;
      }
      for (const change of changesFrom(schema, states[index]?.version ?? 0)) {
        await runPatiently(client, schema.name, change, clock);
      }
    }
    return states;
  } catch (cause) {
    throw postgresFault(cause);
  } finally {
    // Also releases the lock.
    if (client !== undefined) await endAlone(client, clock);
  }
}

/** Waits until no other process migrates. */
async function lockMigration(queries: Queries, clock: Clock): Promise<void> {
  const take = 'SELECT pg_try_advisory_lock($1) AS taken';
  for (let waited = 0; waited < maxWaitMs; waited += pauseMs) {
    if ((await queries.first<{ readonly taken: boolean }>(take, [lockId]))?.taken === true) return;
    await clock.sleep(pauseMs);
  }
  throw new StorageError(
    'locked',
    'Another process has been migrating the database for ten minutes. Check it (“extract server database check”), and start again.',
  );
}
