import type { Client } from 'pg';
import { ExtractError } from '../../errors/extract-error.js';
import type { Clock } from '../../runtime/clock.js';
import { connectAlone, defaultTimeouts, endAlone } from './connect.js';
import { postgresFault } from './postgres-fault.js';
import { query } from './queries.js';

/** Looks at two connections. Another client's statements may take the server process between two of ours. */
const looks = 5;

const refusal = () =>
  new ExtractError(
    'invalid_parameter',
    'EXTRACT_DATABASE_URL leads to a connection pooler in transaction mode (PgBouncer, say), where statements and settings of a connection are lost. Let it name the database itself, or a pool in session mode (pool_mode=session).',
  );

async function processOf(client: Client): Promise<number> {
  const { rows } = await query(client, 'SELECT pg_backend_pid() AS pid');
  return (rows[0] as { readonly pid: number }).pid;
}

/** True where a process of the server serves one connection after the other, transaction by transaction. */
async function sharesProcesses(one: Client, other: Client): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
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
 * Rejects `invalid_parameter` where the address is that of a pooler that gives a connection to one transaction alone. By
 * itself a database tells who serves a connection; a pooler tells numbers of its own.
 */
export async function refusePooler(client: Client, url: string, clock: Clock): Promise<void> {
  // The driver has it, its types do not.
  const { processID: announcedId } = client as Client & { readonly processID: number };
  if ((await processOf(client)) === announcedId) return;
  const other = await connectAlone(url, 'look', defaultTimeouts);
  try {
    if (await sharesProcesses(client, other)) throw refusal();
  } finally {
    await endAlone(other, clock);
  }
}

/** The same over a connection of its own. Rejects with a `StorageError` where the database cannot be used. */
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
