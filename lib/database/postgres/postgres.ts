import type { Pool, PoolClient } from 'pg';
import { ExtractError } from '../../errors/extract-error.js';
import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { Database } from '../database.js';
import type { Queries } from '../queries.js';
import {
  type DatabaseConfig,
  type DatabaseTimeouts,
  defaultTimeouts,
  makePool,
  type SessionSettings,
} from './connect.js';
import { postgresDialect } from './dialect.js';
import { isConflict, isLost, isOutdated, isReadOnly, isTimeout, postgresFault } from './postgres-fault.js';
import { queriesOn, query } from './queries.js';

/** Attempts at work that was undone by concurrent transactions, or lost its connection before it could commit. */
const maxTries = 4;
const firstPauseMs = 20;

/** Open and idle connections, and callers waiting for one. */
export interface ConnectionLoad {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The connection was lost during a commit, so the outcome is unknown. */
class UnknownOutcome extends StorageError {
  constructor(cause: unknown) {
    super(
      'unreachable',
      'The connection to the database was lost during a write, so it is unknown whether it was saved. Try again in a moment.',
      { cause, retryAfter: 2 },
    );
  }
}

const outcomeOf = (fault: unknown) => (isLost(fault) ? new UnknownOutcome((fault as Error).cause) : fault);

/**
 * A PostgreSQL database behind a bounded pool. Connections are opened on demand, and every wait has a timeout. Every
 * method rejects with errors of the catalogue: a `StorageError` if the database cannot be used.
 */
export class Postgres implements Database {
  readonly dialect = postgresDialect;
  readonly isRemote = true;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #timeouts: DatabaseTimeouts;
  /** Unanswered statements, in total and when each connection was opened. */
  #silences = 0;
  readonly #silencesBefore = new WeakMap<PoolClient, number>();
  #closing: Promise<void> | undefined;

  private constructor(pool: Pool, clock: Clock, timeouts: DatabaseTimeouts) {
    this.#pool = pool;
    this.#clock = clock;
    this.#timeouts = timeouts;
  }

  /**
   * Loads the driver. Rejects `invalid_parameter` if it is not installed. Does not check that the database is
   * reachable. `session` applies to each connection.
   */
  static async open(
    config: DatabaseConfig,
    clock: Clock,
    timeouts: DatabaseTimeouts = defaultTimeouts,
    session: SessionSettings = {},
  ): Promise<Postgres> {
    return new Postgres(await makePool(config, timeouts, session), clock, timeouts);
  }

  get load(): ConnectionLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#repeated((client) => work(queriesOn(client)));
  }

  write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#repeated(async (client) => {
      try {
        return await work(queriesOn(client));
      } catch (cause) {
        // Not repeated if a lost connection leaves the outcome unknown.
        throw outcomeOf(cause);
      }
    });
  }

  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#repeated(async (client, discard) => {
      let value: T;
      try {
        await query(client, 'BEGIN');
        value = await work(queriesOn(client));
      } catch (cause) {
        if (!isLost(cause)) await query(client, 'ROLLBACK').catch(discard);
        throw cause;
      }
      const { command } = await query(client, 'COMMIT').catch((fault) => {
        throw outcomeOf(fault);
      });
      if (command === 'COMMIT') return value;
      // A statement failed and the work continued regardless; the server has undone all of it.
      throw new ExtractError('internal_error', 'A transaction continued after a failed statement.');
    });
  }

  /** Waits a limited time for running work, then closes the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const waited = new AbortController();
    // A dead network does not confirm the close.
    const deadline = this.#clock.sleep(this.#timeouts.connect, waited.signal).catch(() => undefined);
    const closing = this.#pool.end().finally(() => waited.abort());
    await Promise.race([closing, deadline]);
  }

  async #repeated<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    for (let tries = 1, pause = firstPauseMs; ; ) {
      try {
        return await this.#onConnection(work);
      } catch (fault) {
        // Does not count: each connection opened before a migration fails once this way.
        if (isOutdated(fault)) continue;
        const isOver = tries >= maxTries || fault instanceof UnknownOutcome || isTimeout(fault);
        if (isOver || !(isConflict(fault) || isLost(fault) || isReadOnly(fault))) throw fault;
      }
      await this.#clock.sleep(pause);
      tries += 1;
      pause *= 4;
    }
  }

  /** Runs work on a connection, and replaces a lost one. */
  async #onConnection<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new ExtractError('internal_error', 'The database is closed.');
    const client = await this.#connect();
    let isUseless = false;
    const discard = () => {
      isUseless = true;
    };
    try {
      return await work(client, discard);
    } catch (fault) {
      if (isLost(fault) || isReadOnly(fault) || isOutdated(fault)) discard();
      if (isTimeout(fault)) this.#silences += 1;
      throw fault;
    } finally {
      client.release(isUseless);
    }
  }
  /** Discards connections opened before the last timeout, because they would time out, too. */
  async #connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((cause) => {
        throw postgresFault(cause);
      });
      const before = this.#silencesBefore.get(client) ?? this.#silences;
      this.#silencesBefore.set(client, before);
      if (before === this.#silences) return client;
      client.release(true);
    }
  }
}
