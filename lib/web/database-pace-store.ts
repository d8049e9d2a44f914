import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import type { Dialect } from '../database/dialect.js';
import type { PreparedRows, PreparedStatement, Queries } from '../database/queries.js';
import { StorageError } from '../errors/storage-error.js';
import { CircuitBreaker } from '../runtime/circuit-breaker.js';
import { type Clock, hourMs } from '../runtime/clock.js';
import {
  believedCooldown,
  type CooldownRow,
  type CooldownState,
  clockToleranceMs,
  cooldownOf,
  maxCooldownMs,
  nextCooldown,
  type RefusalDetails,
  textsOf,
} from './cooldown-state.js';
import { withErrorRoute } from './error-routes.js';
import type { PaceStore, PlatformPace, SharedPace, Turn } from './pace-store.js';
import type { PlatformDay } from './platform-day.js';

const dayTypes = {
  platform: 'text',
  day: 'text',
  requests: 'integer',
  refusals: 'integer',
  bytes: 'integer',
  shortest_gap_ms: 'integer',
} as const;
const dayColumns = Object.keys(dayTypes).join(', ');

const addToDays: PreparedRows<typeof dayTypes> = {
  name: 'pace-add-to-days',
  columns: dayTypes,
  text: (records) => `
    INSERT INTO platform_days AS old (${dayColumns}) SELECT ${dayColumns} FROM ${records} WHERE true
    ON CONFLICT (platform, day) DO UPDATE SET
      requests = old.requests + excluded.requests, refusals = old.refusals + excluded.refusals,
      bytes = old.bytes + excluded.bytes,
      shortest_gap_ms = CASE
        WHEN old.shortest_gap_ms <= excluded.shortest_gap_ms OR excluded.shortest_gap_ms IS NULL
        THEN old.shortest_gap_ms ELSE excluded.shortest_gap_ms END`,
};

interface Row extends CooldownRow {
  /** The database's time at the read. */
  readonly now: number;
}

/** A reserved time, and the time of the reservation, by the database's clock. */
interface Reservation {
  readonly moment: number;
  readonly now: number;
}

/** Maximum reservations remembered in this process's time, by which it cancels unused ones. */
const maxReserved = 100;

/** SQL for whole milliseconds since 1970: $1, or the server's clock if that is null. */
const nowIn = ({ name }: Dialect) =>
  name === 'postgres'
    ? 'coalesce($1::float8, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8)'
    : '$1';

/**
 * Reserves a start in one statement: one interval after the last reservation if that is plausible, or now if that is
 * past. If the reservation that was cancelled ($4) is the last, it is moved to now. A process that waits for the row
 * reads the time after it has the lock.
 */
const reserve: PreparedStatement = {
  name: 'pace-reserve',
  text(dialect) {
    const now = nowIn(dialect);
    return `
      INSERT INTO pace AS old (platform, next_at, reserved_at) VALUES ($2, ${now} + $3, ${now})
      ON CONFLICT (platform) DO UPDATE SET
        next_at = $3 + CASE
          WHEN old.next_at = $4 + $3 THEN ${now}
          WHEN old.reserved_at > ${now} + ${clockToleranceMs} OR old.next_at > ${now} + ${maxCooldownMs} THEN ${now}
          ELSE ${dialect.greatest('old.next_at', now)} END,
        reserved_at = ${now}
      RETURNING next_at - $3 AS moment, reserved_at AS now`;
  },
};

const rowsText = (dialect: Dialect) =>
  `SELECT platform, next_at, code, refused_at, rests_until, refusals, causes, error_routes, ${nowIn(dialect)} AS now FROM pace`;

const findRow: PreparedStatement = {
  name: 'pace-find',
  text: (dialect) => `${rowsText(dialect)} WHERE platform = $2`,
};
const holdRow: PreparedStatement = {
  name: 'pace-hold',
  text: (dialect) => `${rowsText(dialect)} WHERE platform = $2 ${dialect.forUpdate}`,
};

const endCooldown: PreparedStatement = {
  name: 'pace-end-cooldown',
  text: (dialect) => `
    UPDATE pace SET code = NULL, refused_at = 0, rests_until = 0, refusals = 0, causes = '[]'
    WHERE platform = $2 AND code IS NOT NULL AND refused_at <= ${nowIn(dialect)} - $3`,
};

/** Shifts a cooldown to a clock that is `ms` ahead. */
const shiftedBy = (cooldown: CooldownState, ms: number): CooldownState => ({
  ...cooldown,
  refusedAt: cooldown.refusedAt + ms,
  until: cooldown.until + ms,
});

export interface DatabasePaceStoreOptions {
  readonly clock: Clock;
  /** Replaces the server's clock if it returns a number; for tests. */
  readonly time?: () => number | null;
  /** Closes the database with the store. Omit if the opener closes it. */
  readonly close?: () => Promise<void>;
}

/**
 * Stores the pace in a database: one budget per surface for any number of processes. Machines' clocks differ, so the
 * server's clock is authoritative; arguments and results use the process's time.
 */
export class DatabasePaceStore implements PaceStore {
  readonly isRequired: boolean;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #time: () => number | null;
  readonly #close: (() => Promise<void>) | undefined;
  /** Reserved times in the database's clock, by platform and process time. */
  readonly #reserved = new LRUCache<string, number>({ max: maxReserved });
  readonly #breaker: CircuitBreaker;
  #closed = false;

  constructor(database: Database, { clock, time = () => null, close }: DatabasePaceStoreOptions) {
    this.isRequired = database.isRemote;
    this.#database = database;
    this.#clock = clock;
    this.#time = database.isRemote ? time : () => clock.now();
    this.#close = close;
    this.#breaker = new CircuitBreaker(clock);
  }

  reserve(platform: string, { ms, perHour }: SharedPace, instead?: number): Promise<Turn> {
    return this.#run(async () => {
      const unused = instead === undefined ? null : (this.#reserved.get(`${platform} ${instead}`) ?? null);
      const values = () => [this.#time(), platform, ms, unused];
      if (perHour === undefined) {
        const row = await this.#database.write((queries) => queries.first<Reservation>(reserve, values()));
        return this.#turnOf(platform, row as Reservation);
      }
      return this.#database.transaction(async (queries) => {
        const { now } = await this.#heldRow(queries, platform);
        const free = await this.#budgetFrom(queries, platform, { perHour, now, unused });
        if (free !== undefined) return { at: free + this.#ahead(now), isReserved: false };
        const row = (await queries.first<Reservation>(reserve, values())) as Reservation;
        const addStart = 'INSERT INTO pace_starts (platform, at) VALUES ($1, $2) ON CONFLICT DO NOTHING';
        await queries.run(addStart, [platform, row.moment]);
        return this.#turnOf(platform, row);
      });
    });
  }

  #turnOf(platform: string, { moment, now }: Reservation): Turn {
    // Measured from the server's response, so it may be late by the round trip but never early.
    const at = Math.max(moment, now) + this.#ahead(now);
    this.#reserved.set(`${platform} ${at}`, moment);
    return { at, isReserved: true };
  }

  /**
   * Returns when the hourly budget allows another start, in the database's time; undefined if it does now. Requires the
   * row lock.
   */
  async #budgetFrom(
    queries: Queries,
    platform: string,
    { perHour, now, unused }: { perHour: number; now: number; unused: number | null },
  ): Promise<number | undefined> {
    await queries.run('DELETE FROM pace_starts WHERE platform = $1 AND (at <= $2 OR at > $3 OR at = $4)', [
      ...[platform, now - hourMs, now + maxCooldownMs, unused],
    ]);
    const oldest = await queries.first<{ readonly at: number }>(
      'SELECT at FROM pace_starts WHERE platform = $1 ORDER BY at DESC LIMIT 1 OFFSET $2',
      [platform, perHour - 1],
    );
    return oldest && oldest.at + hourMs;
  }

  find(platform: string): Promise<PlatformPace | null> {
    return this.#run(async () => {
      const values = [this.#time(), platform];
      const row = await this.#database.read((queries) => queries.first<Row>(findRow, values));
      if (row === undefined) return null;
      const pace = this.#paceOf(row);
      const cooldown = cooldownOf(row);
      if (cooldown === null || believedCooldown(cooldown, row.now) === cooldown) return pace;
      // Stored, so that setting the clock back extends the cooldown once and not with each read.
      const believed = await this.#change(platform, (one, at) => one && believedCooldown(one, at));
      return { ...pace, cooldown: believed };
    });
  }

  recordRefusal(platform: string, refusal: RefusalDetails): Promise<CooldownState> {
    return this.#run(() =>
      this.#change(platform, (one, at) => nextCooldown(one && believedCooldown(one, at), refusal, at)),
    );
  }

  recordErrorRoute(platform: string, print: string): Promise<void> {
    return this.#run(() =>
      this.#database.transaction(async (queries) => {
        const { error_routes: before } = await this.#heldRow(queries, platform);
        const prints = withErrorRoute(textsOf(before), print);
        await queries.run('UPDATE pace SET error_routes = $2 WHERE platform = $1', [
          ...[platform, JSON.stringify(prints)],
        ]);
      }),
    );
  }

  recordAnswer(platform: string, began: number): Promise<void> {
    return this.#run(() =>
      this.#database.transaction(async (queries) => {
        const ago = this.#clock.now() - began;
        await queries.run(endCooldown, [this.#time(), platform, ago]);
        await queries.run(
          "UPDATE pace SET error_routes = '[]' WHERE platform = $1 AND error_routes <> '[]'",
          [platform],
        );
      }),
    );
  }

  listPlatforms(): Promise<readonly PlatformPace[]> {
    return this.#run(async () => {
      const rows = await this.#database.read((queries) =>
        queries.rows<Row>(`${rowsText(queries.dialect)} ORDER BY platform`, [this.#time()]),
      );
      return rows.map((row) => this.#paceOf(row));
    });
  }

  addDays(days: readonly PlatformDay[]): Promise<void> {
    return this.#run(async () => {
      // In key order, so that two servers that add rows concurrently cannot deadlock.
      const rows = days.toSorted((a, b) => (`${a.platform} ${a.day}` < `${b.platform} ${b.day}` ? -1 : 1));
      await this.#database.transaction((queries) => queries.runAll(addToDays, rows));
    });
  }

  listDays(since: string): Promise<readonly PlatformDay[]> {
    return this.#run(() =>
      this.#database.read((queries) =>
        queries.rows<PlatformDay>(
          `SELECT ${dayColumns} FROM platform_days WHERE day >= $1 ORDER BY day DESC, platform`,
          [since],
        ),
      ),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#close?.();
  }

  /** Milliseconds by which this process's clock is ahead of the database's, which reported `now`. */
  #ahead(now: number): number {
    return this.#database.isRemote ? this.#clock.now() - now : 0;
  }

  #paceOf(row: Row): PlatformPace {
    const ahead = this.#ahead(row.now);
    const cooldown = cooldownOf(row);
    return {
      platform: row.platform,
      nextAt: row.next_at === 0 ? 0 : row.next_at + ahead,
      cooldown: cooldown && shiftedBy(cooldown, ahead),
      errorRoutes: textsOf(row.error_routes),
    };
  }

  async #heldRow(queries: Queries, platform: string): Promise<Row> {
    await queries.run('INSERT INTO pace (platform) VALUES ($1) ON CONFLICT DO NOTHING', [platform]);
    return (await queries.first<Row>(holdRow, [this.#time(), platform])) as Row;
  }

  /** Replaces the cooldown with the result of `next` at the database's time, and resolves with it. */
  async #change<R extends CooldownState | null>(
    platform: string,
    next: (cooldown: CooldownState | null, at: number) => R,
  ): Promise<R> {
    return this.#database.transaction(async (queries) => {
      const row = await this.#heldRow(queries, platform);
      const cooldown = next(cooldownOf(row), row.now);
      await queries.run(
        'UPDATE pace SET code = $2, refused_at = $3, rests_until = $4, refusals = $5, causes = $6 WHERE platform = $1',
        [
          ...[platform, cooldown?.code ?? null, cooldown?.refusedAt ?? 0, cooldown?.until ?? 0],
          ...[cooldown?.refusals ?? 0, JSON.stringify(cooldown?.causes ?? [])],
        ],
      );
      return cooldown === null ? cooldown : (shiftedBy(cooldown, this.#ahead(row.now)) as R);
    });
  }

  /** Callers recognise this kind of error, so that no call fails because of the store. */
  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StorageError('failed', 'The store of paces is closed.');
    return this.#database.isRemote ? this.#breaker.run(work) : work();
  }
}
