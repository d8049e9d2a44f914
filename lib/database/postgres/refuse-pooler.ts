import type { Client } from 'pg';
import { invalidParameter } from '../../errors/extract-error.js';
import type { Clock } from '../../runtime/clock.js';
import { connectAlone, defaultTimeouts, endAlone } from './connect.js';
import { postgresFault } from './postgres-fault.js';
import { query } from './queries.js';

/** Comparisons. Between two of them, another client's statements may use the server process. */
const comparisons = 5;

const refusal = () =>
  invalidParameter(
    'EXTRACT_DATABASE_URL points to a connection pooler in transaction mode (such as PgBouncer), which loses a connection’s statements and settings. Point it to the database itself, or to a pool in session mode (pool_mode=session).',
  );

async function processOf(client: Client): Promise<number> {
  const { rows } = await query(client, 'SELECT pg_backend_pid() AS pid');
  return (rows[0] as { readonly pid: number }).pid;
}

/** Returns true if one server process serves several connections, transaction by transaction. */
async function sharesProcesses(one: Client, other: Client): Promise<boolean> {
  for (let attempt = 0; attempt < comparisons; attempt += 1) {
    const first = await processOf(one);
    await query(other, 'BEGIN');
    try {
      if ((await processOf(other)) === first || (await processOf(one)) !== first) return true;
    } finally {
      await query(other, 'ROLLBACK');
    }
  }
  return false;
}

/**
 * Rejects `invalid_parameter` if the address leads to a pooler in transaction mode. A database reports the process of a
 * connection; a pooler reports its own numbers.
 */
export async function refusePooler(client: Client, url: string, clock: Clock): Promise<void> {
  // The property exists in the driver but not in its types.
  const { processID: announcedId } = client as Client & { readonly processID: number };
  if ((await processOf(client)) === announcedId) return;
  const other = await connectAlone(url, 'look', defaultTimeouts);
  try {
    if (await sharesProcesses(client, other)) throw refusal();
  } finally {
    await endAlone(other, clock);
  }
}

/** The same over a new connection. Rejects with a `StorageError` if the database cannot be used. */
export async function refusePoolerAt(url: string, clock: Clock): Promise<void> {
  let client: Client | undefined;
  try {
    client = await connectAlone(url, 'look', defaultTimeouts);
    await refusePooler(client, url, clock);
  } catch (cause) {
    throw postgresFault(cause);
  } finally {
    if (client !== undefined) await endAlone(client, clock);
  }
}
