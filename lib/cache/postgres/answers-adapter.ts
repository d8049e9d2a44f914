import { KeyvPostgres } from '@keyv/postgres';
import type { Postgres } from '../../database/postgres/postgres.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import type { AnswerStore } from '../careful-store.js';
import { namespace } from '../tier.js';
import { trimAnswers } from './trim-answers.js';

type RunSql = (sql: string, values?: readonly (string | number | null)[]) => Promise<readonly object[]>;

/** The method of the adapter that is replaced. Its types declare it private. */
type Replaceable = new (options: {
  readonly table: string;
}) => Omit<KeyvPostgres, 'init' | 'connect' | 'query' | 'disconnect'>;

/** Milliseconds between checks of the table's size by one process. */
const trimEveryMs = 60_000;

/**
 * Connects @keyv/postgres to the ledger's pool. By default it would open its own, outside the limit of
 * EXTRACT_DATABASE_CONNECTIONS, and alter its table at each start, which locks out other servers.
 */
function adapterOver(postgres: Postgres) {
  const run: RunSql = (sql, values) =>
    sql.startsWith('SELECT')
      ? postgres.read((queries) => queries.rows(sql, values))
      : postgres.write((queries) => queries.rows(sql, values));
  class OverOurs extends (KeyvPostgres as unknown as Replaceable) {
    protected async init(): Promise<RunSql> {
      return run;
    }
  }
  const store = new OverOurs({ table: 'answers' });
  store.namespace = namespace;
  return store;
}

/** The answers in a database that has their table, limited to `bytes`. */
export function answersAdapter(postgres: Postgres, bytes: number, clock: Clock): AnswerStore {
  const store = adapterOver(postgres);
  let thrown: unknown;
  // Its `set` emits an error and resolves.
  store.on('error', (cause: unknown) => {
    thrown = cause;
  });
  let trimmedAt = Number.NEGATIVE_INFINITY;
  return {
    get: (key) => store.get(key),
    async set(key, value, expires) {
      if (!(await store.set(key, value, expires))) throw thrown;
      if (elapsed(clock) - trimmedAt >= trimEveryMs) {
        trimmedAt = elapsed(clock);
        await trimAnswers(postgres, bytes, clock.now());
      }
      return true;
    },
    async clear() {
      await postgres.write((queries) => queries.run('TRUNCATE answers'));
    },
    // The connections belong to the database.
    disconnect: async () => undefined,
  };
}
