import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { DatabaseInspection } from '../../compose/database-tables.js';
import { readDatabaseConfig } from '../../config/database-config.js';
import { type Finding, failed, ok, warning } from './finding.js';

const mib = 1024 * 1024;
/** Keys and sessions expire to the second. */
const clockToleranceMs = 5_000;
/** A dump takes minutes, so a longer transaction is suspicious. */
const longTransactionSeconds = 3_600;

const check = 'database';
const seconds = (ms: number) => `${(Math.abs(ms) / 1000).toFixed(1)} s`;

function checkServer({ server }: DatabaseInspection): readonly Finding[] {
  const findings: Finding[] = [];
  if (server.isReadOnly) {
    const next = 'Point EXTRACT_DATABASE_URL to the primary.';
    findings.push(failed(check, 'The database is a read-only standby.', next));
  } else {
    findings.push(ok(check, `PostgreSQL ${server.version}, ${(server.bytes / mib).toFixed(1)} MiB`));
  }
  const { clockAheadMs: ahead, oldestTransactionSeconds: oldest } = server;
  if (Math.abs(ahead) > clockToleranceMs) {
    const message = `The clock of the database is ${seconds(ahead)} ${ahead > 0 ? 'ahead of' : 'behind'} this machine's.`;
    findings.push(warning('database clock', message, 'Synchronise both clocks with NTP.'));
  } else findings.push(ok('database clock', `${seconds(ahead)} ${ahead < 0 ? 'behind' : 'ahead'}`));
  if (oldest > longTransactionSeconds) {
    const message = `A transaction has been open for ${Math.floor(oldest / 3600)} hours, so the space of old rows cannot be reused.`;
    const next = 'Find it in pg_stat_activity (xact_start), and end the program that keeps it open.';
    findings.push(warning('database space', message, next));
  }
  for (const { table, live, dead } of server.deadRows) {
    const message = `The table ${table} has ${dead} dead rows next to ${live} live ones.`;
    findings.push(warning('database space', message, `Check that autovacuum runs, or run VACUUM ${table}.`));
  }
  return findings;
}

function checkTables({ tables, nodes, imbalances }: DatabaseInspection): readonly Finding[] {
  const older = tables.filter(({ version, expected }) => version < expected);
  const findings: Finding[] = [
    older.length === 0
      ? ok('tables', `${tables.length} modules, all of this version`)
      : warning(
          'tables',
          `Older than this version: ${older.map(({ name }) => name).join(', ')}.`,
          'The next server migrates them; “extract server database migrate” does it now.',
        ),
  ];
  if (nodes !== null) {
    const { alive, abandoned } = nodes;
    findings.push(
      alive > 0 || abandoned === 0
        ? ok('nodes', `${alive} at work`)
        : warning(
            'nodes',
            `No server is running, and ${abandoned} calls of stopped servers have not been refunded.`,
            'Start a server: it refunds them.',
          ),
    );
  }
  const [first] = imbalances ?? [];
  if (first !== undefined) {
    const message = `The ledger of ${imbalances?.length} accounts does not balance; ${first.account}: ${first.balance} instead of ${first.expected}.`;
    const next = 'This is a bug: report it with “extract doctor --bundle FILE”.';
    findings.push(failed('books', message, next));
  } else if (imbalances !== null) findings.push(ok('books', 'the balances add up'));
  return findings;
}

function checkConnections({ server }: DatabaseInspection, ofProcess: number): Finding {
  const { connections, maxConnections } = server;
  const free = maxConnections - connections;
  const message = `${connections} of ${maxConnections} connections are in use; a server opens up to ${ofProcess}.`;
  if (free >= ofProcess) return ok('connections', message);
  const next = 'Raise max_connections of PostgreSQL, or lower EXTRACT_DATABASE_CONNECTIONS.';
  return warning('connections', message, next);
}

/**
 * Checks the configured database: connection, server, clock, space, tables, nodes. No findings if none is configured.
 */
export async function checkDatabase(clock: Clock, isFullCheck = false): Promise<readonly Finding[]> {
  try {
    const { database } = readDatabaseConfig();
    if (database === undefined) return [];
    const { inspectDatabase } = await import('../../compose/database-tables.js');
    const inspection = await inspectDatabase(database, clock, isFullCheck);
    return [
      ...checkServer(inspection),
      ...checkTables(inspection),
      checkConnections(inspection, database.connections),
    ];
  } catch (cause) {
    if (!(cause instanceof ExtractError)) throw cause;
    return [failed(check, cause.message, 'Correct it: no server starts without its database.')];
  }
}
