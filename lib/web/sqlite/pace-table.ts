import type { Database } from '../../database/sqlite/driver.js';
import {
  type CooldownRow,
  type CooldownState,
  clockToleranceMs,
  cooldownOf,
  maxCooldownMs,
  textsOf,
} from '../cooldown-state.js';
import { withErrorRoute } from '../error-routes.js';
import type { PlatformPace } from '../pace-store.js';
import type { PlatformDay } from '../platform-day.js';

/**
 * Times are milliseconds since 1970. `reserved_at`: when `next_at` was reserved. `code` is null without a refusal.
 * `causes` and `error_routes` are lists in JSON.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS pace (
    platform TEXT PRIMARY KEY,
    next_at INTEGER NOT NULL DEFAULT 0,
    reserved_at INTEGER NOT NULL DEFAULT 0,
    code TEXT CHECK (code IN ('platform_blocked', 'platform_rate_limited')),
    refused_at INTEGER NOT NULL DEFAULT 0,
    rests_until INTEGER NOT NULL DEFAULT 0,
    refusals INTEGER NOT NULL DEFAULT 0,
    causes TEXT NOT NULL DEFAULT '[]',
    error_routes TEXT NOT NULL DEFAULT '[]'
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS platform_days (
    platform TEXT NOT NULL,
    day TEXT NOT NULL,
    requests INTEGER NOT NULL,
    refusals INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    shortest_gap_ms INTEGER,
    PRIMARY KEY (platform, day)
  ) STRICT, WITHOUT ROWID;
`;

const addDay = `
  INSERT INTO platform_days (platform, day, requests, refusals, bytes, shortest_gap_ms)
  VALUES (:platform, :day, :requests, :refusals, :bytes, :shortest_gap_ms)
  ON CONFLICT (platform, day) DO UPDATE SET
    requests = requests + excluded.requests, refusals = refusals + excluded.refusals, bytes = bytes + excluded.bytes,
    shortest_gap_ms = min(
      coalesce(shortest_gap_ms, excluded.shortest_gap_ms), coalesce(excluded.shortest_gap_ms, shortest_gap_ms))
`;

/** Columns that the files of earlier releases lack. */
const laterColumns = ['causes', 'error_routes'];

/**
 * One statement reserves a moment: the one reserved before, where it can be believed, and the pace after it. Now where
 * that is past. A moment that passed unused (`instead`) is moved to now where it was the last.
 */
const reserve = `
  INSERT INTO pace (platform, next_at, reserved_at) VALUES (:platform, :now + :ms, :now)
  ON CONFLICT (platform) DO UPDATE SET
    next_at = :ms + CASE
      WHEN next_at = :instead + :ms THEN :now
      WHEN reserved_at > :now + ${clockToleranceMs} OR next_at > :now + ${maxCooldownMs} THEN :now
      ELSE max(next_at, :now) END,
    reserved_at = :now
  RETURNING next_at - :ms
`;

interface Reservation {
  readonly platform: string;
  readonly ms: number;
  readonly now: number;
  readonly instead: number | null;
}

type SavedCooldown = Omit<CooldownState, 'causes'> & { readonly platform: string; readonly causes: string };

const paceOf = (row: CooldownRow): PlatformPace => ({
  platform: row.platform,
  nextAt: row.next_at,
  cooldown: cooldownOf(row),
  errorRoutes: textsOf(row.error_routes),
});

/** The table of paces in an open file. Every method throws what SQLite does. */
export class PaceTable {
  readonly #db: Database;
  readonly #reserve;
  readonly #rowOf;
  readonly #setCooldown;
  readonly #clearCooldown;
  readonly #setErrorRoutes;
  readonly #rows;
  readonly #addDay;
  readonly #days;

  constructor(db: Database) {
    this.#db = db;
    db.exec(schema);
    const columns = db.pragma('table_info(pace)') as readonly { readonly name: string }[];
    for (const column of laterColumns) {
      if (columns.some(({ name }) => name === column)) continue;
      db.exec(`ALTER TABLE pace ADD COLUMN ${column} TEXT NOT NULL DEFAULT '[]'`);
    }
    this.#reserve = db.prepare<[Reservation], number>(reserve).pluck();
    this.#rowOf = db.prepare<[string], CooldownRow>('SELECT * FROM pace WHERE platform = ?');
    this.#setCooldown = db.prepare<[SavedCooldown]>(`
      INSERT INTO pace (platform, code, refused_at, rests_until, refusals, causes)
      VALUES (:platform, :code, :refusedAt, :until, :refusals, :causes)
      ON CONFLICT (platform) DO UPDATE SET
        code = :code, refused_at = :refusedAt, rests_until = :until, refusals = :refusals, causes = :causes
    `);
    this.#clearCooldown = db.prepare<[string, number]>(`
      UPDATE pace SET code = NULL, refused_at = 0, rests_until = 0, refusals = 0, causes = '[]'
      WHERE platform = ? AND refused_at <= ?
    `);
    this.#setErrorRoutes = db.prepare<[string, string]>(`
      INSERT INTO pace (platform, error_routes) VALUES (?, ?)
      ON CONFLICT (platform) DO UPDATE SET error_routes = excluded.error_routes
    `);
    this.#addDay = db.prepare<[PlatformDay]>(addDay);
    this.#days = db.prepare<[string], PlatformDay>(
      'SELECT * FROM platform_days WHERE day >= ? ORDER BY day DESC, platform',
    );
    this.#rows = db.prepare<[], CooldownRow>('SELECT * FROM pace ORDER BY platform');
  }

  reserve(reservation: Reservation): number {
    return this.#reserve.get(reservation) as number;
  }

  find(platform: string): PlatformPace | null {
    const row = this.#rowOf.get(platform);
    return row === undefined ? null : paceOf(row);
  }

  /** Replaces the cool-down by what `next` makes of it, and returns that. */
  changeCooldown<R extends CooldownState | null>(
    platform: string,
    next: (cooldown: CooldownState | null) => R,
  ): R {
    return this.#db
      .transaction(() => {
        const cooldown = next(this.find(platform)?.cooldown ?? null);
        if (cooldown === null) this.#clearCooldown.run(platform, Number.MAX_SAFE_INTEGER);
        else this.#setCooldown.run({ platform, ...cooldown, causes: JSON.stringify(cooldown.causes) });
        return cooldown;
      })
      .immediate();
  }

  /** Adds an error page to those since the last answer. */
  addErrorRoute(platform: string, print: string): void {
    this.#db
      .transaction(() => {
        const prints = withErrorRoute(this.find(platform)?.errorRoutes ?? [], print);
        this.#setErrorRoutes.run(platform, JSON.stringify(prints));
      })
      .immediate();
  }

  /** Ends the cool-down of a refusal that is not after `began`, and forgets the error pages. */
  recordAnswer(platform: string, began: number): void {
    this.#db
      .transaction(() => {
        this.#clearCooldown.run(platform, began);
        this.#setErrorRoutes.run(platform, '[]');
      })
      .immediate();
  }

  platforms(): PlatformPace[] {
    return this.#rows.all().map(paceOf);
  }

  addDays(days: readonly PlatformDay[]): void {
    this.#db
      .transaction(() => {
        for (const day of days) this.#addDay.run(day);
      })
      .immediate();
  }

  days(since: string): PlatformDay[] {
    return this.#days.all(since);
  }

  close(): void {
    this.#db.close();
  }
}
