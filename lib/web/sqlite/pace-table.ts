import type { Database } from '../../database/sqlite/driver.js';
import {
  type CooldownRow,
  type CooldownState,
  clockToleranceMs,
  cooldownOf,
  maxCooldownMs,
} from '../cooldown-state.js';
import type { PlatformPace } from '../pace-store.js';

/** Times are milliseconds since 1970. `reserved_at`: when `next_at` was reserved. `code` is null without a refusal. */
const schema = `
  CREATE TABLE IF NOT EXISTS pace (
    platform TEXT PRIMARY KEY,
    next_at INTEGER NOT NULL DEFAULT 0,
    reserved_at INTEGER NOT NULL DEFAULT 0,
    code TEXT CHECK (code IN ('platform_blocked', 'platform_rate_limited')),
    refused_at INTEGER NOT NULL DEFAULT 0,
    rests_until INTEGER NOT NULL DEFAULT 0,
    refusals INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
`;

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

/** The table of paces in an open file. Every method throws what SQLite does. */
export class PaceTable {
  readonly #db: Database;
  readonly #reserve;
  readonly #rowOf;
  readonly #setCooldown;
  readonly #clearCooldown;
  readonly #rows;

  constructor(db: Database) {
    this.#db = db;
    db.exec(schema);
    this.#reserve = db.prepare<[Reservation], number>(reserve).pluck();
    this.#rowOf = db.prepare<[string], CooldownRow>('SELECT * FROM pace WHERE platform = ?');
    this.#setCooldown = db.prepare<[CooldownState & { readonly platform: string }]>(`
      INSERT INTO pace (platform, code, refused_at, rests_until, refusals)
      VALUES (:platform, :code, :refusedAt, :until, :refusals)
      ON CONFLICT (platform) DO UPDATE SET
        code = :code, refused_at = :refusedAt, rests_until = :until, refusals = :refusals
    `);
    this.#clearCooldown = db.prepare<[string, number]>(`
      UPDATE pace SET code = NULL, refused_at = 0, rests_until = 0, refusals = 0
      WHERE platform = ? AND refused_at <= ?
    `);
    this.#rows = db.prepare<[], CooldownRow>('SELECT * FROM pace ORDER BY platform');
  }

  reserve(reservation: Reservation): number {
    return this.#reserve.get(reservation) as number;
  }

  cooldown(platform: string): CooldownState | null {
    const row = this.#rowOf.get(platform);
    return row === undefined ? null : cooldownOf(row);
  }

  /** Replaces the cool-down by what `next` makes of it, and returns that. */
  changeCooldown<R extends CooldownState | null>(
    platform: string,
    next: (cooldown: CooldownState | null) => R,
  ): R {
    return this.#db
      .transaction(() => {
        const cooldown = next(this.cooldown(platform));
        if (cooldown === null) this.#clearCooldown.run(platform, Number.MAX_SAFE_INTEGER);
        else this.#setCooldown.run({ platform, ...cooldown });
        return cooldown;
      })
      .immediate();
  }

  /** Ends the cool-down of a refusal that is not after `began`. */
  endCooldown(platform: string, began: number): void {
    this.#clearCooldown.run(platform, began);
  }

  platforms(): PlatformPace[] {
    return this.#rows
      .all()
      .map((row) => ({ platform: row.platform, nextAt: row.next_at, cooldown: cooldownOf(row) }));
  }

  close(): void {
    this.#db.close();
  }
}
