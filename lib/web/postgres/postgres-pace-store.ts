import type { Postgres } from '../../database/postgres/postgres.js';
import type { PreparedRows, Queries } from '../../database/queries.js';
import type { SchemaSql } from '../../database/schema-sql.js';
import { StorageError } from '../../errors/storage-error.js';
import { CircuitBreaker } from '../../runtime/circuit-breaker.js';
import type { Clock } from '../../runtime/clock.js';
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
} from '../cooldown-state.js';
import { withErrorRoute } from '../error-routes.js';
import type { PaceStore, PlatformPace } from '../pace-store.js';
import type { PlatformDay } from '../platform-day.js';

/**
 * Pace and cool-downs, a row a platform. Times are milliseconds since 1970 by the database's clock. `reserved_at`: when
 * `next_at` was reserved. `code` is null without a refusal. `causes` and `error_routes` are lists in JSON. A crash loses
 * none of it: a platform that asked for an hour's rest gets it.
 */
export const paceSchema: SchemaSql = {
  name: 'pace',
  tables: `
    CREATE TABLE pace (
      platform text COLLATE "C" PRIMARY KEY,
      next_at double precision NOT NULL DEFAULT 0,
      reserved_at double precision NOT NULL DEFAULT 0,
      code text CHECK (code IN ('platform_blocked', 'platform_rate_limited')),
      refused_at double precision NOT NULL DEFAULT 0,
      rests_until double precision NOT NULL DEFAULT 0,
      refusals integer NOT NULL DEFAULT 0,
      causes text NOT NULL DEFAULT '[]',
      error_routes text NOT NULL DEFAULT '[]'
    ) WITH (fillfactor = 50);

    CREATE TABLE platform_days (
      platform text COLLATE "C" NOT NULL,
      day text COLLATE "C" NOT NULL,
      requests bigint NOT NULL,
      refusals bigint NOT NULL,
      bytes bigint NOT NULL,
      shortest_gap_ms bigint,
      PRIMARY KEY (platform, day)
    );
  `,
};

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
  name: 'pace_add_to_days',
  columns: dayTypes,
  text: (records) => `
    INSERT INTO platform_days AS old (${dayColumns}) SELECT ${dayColumns} FROM ${records}
    ON CONFLICT (platform, day) DO UPDATE SET
      requests = old.requests + excluded.requests, refusals = old.refusals + excluded.refusals,
      bytes = old.bytes + excluded.bytes,
      shortest_gap_ms = least(old.shortest_gap_ms, excluded.shortest_gap_ms)`,
};

interface Row extends CooldownRow {
  /** The database's time when it read the row. */
  readonly now: number;
}

/** Moments that this process was given, by its own time: it names the unused ones. */
const maxGiven = 100;

/** Milliseconds since 1970 by the database's clock, in whole ones; $1 takes its place where time is injected. */
const now = `coalesce($1::float8, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8)`;

/**
 * One statement reserves a moment. It lies the pace behind the one reserved before, where that can be believed. Where
 * it is past, it is now. A moment that passed unused ($4) is moved to now where it was the last. A process that waits
 * for the row reads the time once it has it.
 */
const reserve = {
  name: 'pace-reserve',
  text: `
  INSERT INTO pace (platform, next_at, reserved_at) VALUES ($2, ${now} + $3::float8, ${now})
  ON CONFLICT (platform) DO UPDATE SET
    next_at = $3::float8 + CASE
      WHEN pace.next_at = $4::float8 + $3::float8 THEN ${now}
      WHEN pace.reserved_at > ${now} + ${clockToleranceMs} OR pace.next_at > ${now} + ${maxCooldownMs} THEN ${now}
      ELSE greatest(pace.next_at, ${now}) END,
    reserved_at = ${now}
  RETURNING next_at - $3::float8 AS moment, reserved_at AS now`,
};

const readRow = `SELECT platform, next_at, code, refused_at, rests_until, refusals, causes, error_routes, ${now} AS now FROM pace`;

/** A cool-down by another clock that is so many milliseconds ahead. */
const moved = (cooldown: CooldownState, ms: number): CooldownState => ({
  ...cooldown,
  refusedAt: cooldown.refusedAt + ms,
  until: cooldown.until + ms,
});

/**
 * The pace in PostgreSQL: one budget a platform, however many machines there are. Their clocks may be apart, so the
 * database's own counts; what goes in and out is by the process's time.
 */
export class PostgresPaceStore implements PaceStore {
  readonly isRequired = true;
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #time: () => number | null;
  /** The database's moments, by platform and the process's own. */
  readonly #given = new Map<string, number>();
  readonly #breaker: CircuitBreaker;
  #closed = false;

  /** `time` takes the place of the database's clock where it gives a number: for tests whose time is injected. */
  constructor(postgres: Postgres, clock: Clock, time: () => number | null = () => null) {
    this.#postgres = postgres;
    this.#clock = clock;
    this.#breaker = new CircuitBreaker(clock);
    this.#time = time;
  }

  reserve(platform: string, ms: number, instead?: number): Promise<number> {
    return this.#run(async () => {
      const unused = instead === undefined ? null : (this.#given.get(`${platform} ${instead}`) ?? null);
      const row = await this.#postgres.write((queries) =>
        queries.first<{ readonly moment: number; readonly now: number }>(reserve, [
          ...[this.#time(), platform, ms, unused],
        ]),
      );
      const { moment, now: then } = row as { moment: number; now: number };
      // From the answer on: late by its way here, and never early.
      const localMoment = this.#clock.now() + Math.max(0, moment - then);
      this.#remember(`${platform} ${localMoment}`, moment);
      return localMoment;
    });
  }

  find(platform: string): Promise<PlatformPace | null> {
    return this.#run(async () => {
      const row = await this.#postgres.read((queries) => this.#row(queries, platform, ''));
      if (row === undefined) return null;
      const pace = this.#paceOf(row);
      const cooldown = cooldownOf(row);
      // Written, so that a clock that was set back lengthens the cool-down once and not at each look.
      if (cooldown !== null && believedCooldown(cooldown, row.now) !== cooldown) {
        return {
          ...pace,
          cooldown: await this.#change(platform, (one, at) => one && believedCooldown(one, at)),
        };
      }
      return pace;
    });
  }

  recordRefusal(platform: string, refusal: RefusalDetails): Promise<CooldownState> {
    return this.#run(async () => {
      const cooldown = await this.#change(platform, (one, at) =>
        nextCooldown(one && believedCooldown(one, at), refusal, at),
      );
      return cooldown as CooldownState;
    });
  }

  recordErrorRoute(platform: string, print: string): Promise<void> {
    return this.#run(async () => {
      await this.#postgres.transaction(async (queries) => {
        const { error_routes: before } = await this.#lockedRow(queries, platform);
        const prints = withErrorRoute(textsOf(before), print);
        await queries.run('UPDATE pace SET error_routes = $2 WHERE platform = $1', [
          platform,
          JSON.stringify(prints),
        ]);
      });
    });
  }

  recordAnswer(platform: string, began: number): Promise<void> {
    return this.#run(async () => {
      const ago = this.#clock.now() - began;
      await this.#postgres.transaction(async (queries) => {
        await queries.run(
          `UPDATE pace SET code = NULL, refused_at = 0, rests_until = 0, refusals = 0, causes = '[]'
           WHERE platform = $2 AND code IS NOT NULL AND refused_at <= ${now} - $3::float8`,
          [this.#time(), platform, ago],
        );
        await queries.run(
          "UPDATE pace SET error_routes = '[]' WHERE platform = $1 AND error_routes <> '[]'",
          [platform],
        );
      });
    });
  }

  listPlatforms(): Promise<readonly PlatformPace[]> {
    return this.#run(async () => {
      const rows = await this.#postgres.read((queries) =>
        queries.rows<Row>(`${readRow} ORDER BY platform`, [this.#time()]),
      );
      return rows.map((row) => this.#paceOf(row));
    });
  }

  addDays(days: readonly PlatformDay[]): Promise<void> {
    return this.#run(async () => {
      // The order is that of their keys: two servers that add at once do not wait for each other in a circle.
      const rows = days.toSorted((a, b) => (`${a.platform} ${a.day}` < `${b.platform} ${b.day}` ? -1 : 1));
      await this.#postgres.write((queries) => queries.runAll(addToDays, rows));
    });
  }

  listDays(since: string): Promise<readonly PlatformDay[]> {
    return this.#run(() =>
      this.#postgres.read((queries) =>
        queries.rows<PlatformDay>(
          `SELECT ${dayColumns} FROM platform_days WHERE day >= $1 ORDER BY day DESC, platform`,
          [since],
        ),
      ),
    );
  }

  /** Its caller closes the database. */
  async close(): Promise<void> {
    this.#closed = true;
  }

  /** A row by the process's own time. */
  #paceOf(row: Row): PlatformPace {
    const ahead = this.#clock.now() - row.now;
    const cooldown = cooldownOf(row);
    return {
      platform: row.platform,
      nextAt: row.next_at === 0 ? 0 : row.next_at + ahead,
      cooldown: cooldown && moved(cooldown, ahead),
      errorRoutes: textsOf(row.error_routes),
    };
  }

  async #lockedRow(queries: Queries, platform: string): Promise<Row> {
    await queries.run('INSERT INTO pace (platform) VALUES ($1) ON CONFLICT DO NOTHING', [platform]);
    return (await this.#row(queries, platform, 'FOR UPDATE')) as Row;
  }

  #row(queries: Queries, platform: string, lock: 'FOR UPDATE' | ''): Promise<Row | undefined> {
    return queries.first<Row>(`${readRow} WHERE platform = $2 ${lock}`, [this.#time(), platform]);
  }

  /** Replaces the cool-down by what `next` makes of it at the database's time, and resolves with that. */
  async #change(
    platform: string,
    next: (cooldown: CooldownState | null, at: number) => CooldownState | null,
  ): Promise<CooldownState | null> {
    const { cooldown, at } = await this.#postgres.transaction(async (queries) => {
      const row = await this.#lockedRow(queries, platform);
      const changed = next(cooldownOf(row), row.now);
      await queries.run(
        'UPDATE pace SET code = $2, refused_at = $3, rests_until = $4, refusals = $5, causes = $6 WHERE platform = $1',
        [
          ...[platform, changed?.code ?? null, changed?.refusedAt ?? 0, changed?.until ?? 0],
          ...[changed?.refusals ?? 0, JSON.stringify(changed?.causes ?? [])],
        ],
      );
      return { cooldown: changed, at: row.now };
    });
    return cooldown && moved(cooldown, this.#clock.now() - at);
  }

  #remember(name: string, moment: number): void {
    this.#given.delete(name);
    this.#given.set(name, moment);
    const [oldest] = this.#given.keys();
    if (this.#given.size > maxGiven && oldest !== undefined) this.#given.delete(oldest);
  }

  /** No call fails for a store that cannot be used: whoever asks tells it by the kind of error. */
  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StorageError('failed', 'The store of paces is closed.');
    return this.#breaker.run(work);
  }
}
