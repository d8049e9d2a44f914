import type { Postgres } from '../../database/postgres/postgres.js';
import { postgresFault } from '../../database/postgres/postgres-fault.js';
import type { SchemaSql } from '../../database/schema-sql.js';
import { StorageError } from '../../errors/storage-error.js';
import { type Clock, systemClock } from '../../runtime/clock.js';
import type { OnCacheFault } from '../cache.js';
import { CacheTimeout, CarefulStore } from '../careful-store.js';
import { type CacheTier, sharedSkewMs, tierOver } from '../tier.js';

/**
 * The cached answers, with the table and indexes that @keyv/postgres uses. Unlogged: a crash loses answers that can be
 * fetched again.
 */
export const answersSchema: SchemaSql = {
  name: 'answers',
  tables: `
    CREATE UNLOGGED TABLE answers (
      key text COLLATE "C" NOT NULL,
      value text,
      namespace text COLLATE "C",
      expires bigint
    );
    CREATE UNIQUE INDEX answers_key_namespace_idx ON answers (key, coalesce(namespace, ''));
    CREATE INDEX answers_expires_idx ON answers (expires);
  `,
};

/** Maximum milliseconds of a lookup: a call waits for it and could fetch meanwhile. */
const timeoutMs = 2_000;

function cacheFault(cause: unknown): StorageError {
  const fault =
    cause instanceof CacheTimeout
      ? new StorageError('unreachable', 'The database did not respond in time.', { cause })
      : postgresFault(cause);
  const kind = fault instanceof StorageError ? fault.fault : 'failed';
  return new StorageError(kind, `Caching in the database is off for now. ${fault.message}`, {
    cause,
  });
}

/** Returns the second cache tier in a table, limited to `bytes`. The caller closes the database. */
export function postgresTier(
  postgres: Postgres,
  bytes: number,
  onFault: OnCacheFault,
  clock: Clock = systemClock,
): CacheTier {
  const store = new CarefulStore({
    async open() {
      const { answersAdapter } = await import('./answers-adapter.js');
      return answersAdapter(postgres, bytes, clock);
    },
    faultOf: cacheFault,
    timeoutMs,
    clock,
    onFault,
  });
  return tierOver(store, clock, sharedSkewMs);
}
