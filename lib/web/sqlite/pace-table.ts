import type { Database } from 'better-sqlite3';
import type { PlatformPace } from '../pace-store.js';
import { clockToleranceMs, maxCooldownMs, type Refusal, type Rest } from '../rest.js';

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
 * One statement reserves a moment: the one reserved before, where it can be believed, and the pace after it; now where
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

interface Row {
  readonly platform: string;
  readonly next_at: number;
  readonly code: Refusal | null;
  readonly refused_at: number;
  readonly rests_until: number;
  readonly refusals: number;
}

interface Reservation {
  readonly platform: string;
  readonly ms: number;
  readonly now: number;
  readonly instead: number | null;
}

const restOf = ({ code, refused_at: refusedAt, rests_until: until, refusals }: Row): Rest | null =>
  code === null ? null : { code, refusedAt, until, refusals };

/** The table of paces in an open file. Every method throws what SQLite does. */
export class PaceTable {
  readonly #db: Database;
  readonly #reserve;
  readonly #rowOf;
  readonly #setRest;
  readonly #clearRest;
  readonly #rows;

  constructor(db: Database) {
    this.#db = db;
    db.exec(schema);
    this.#reserve = db.prepare<[Reservation], number>(reserve).pluck();
    this.#rowOf = db.prepare<[string], Row>('SELECT * FROM pace WHERE platform = ?');
    this.#setRest = db.prepare<[Rest & { readonly platform: string }]>(`
      INSERT INTO pace (platform, code, refused_at, rests_until, refusals)
      VALUES (:platform, :code, :refusedAt, :until, :refusals)
      ON CONFLICT (platform) DO UPDATE SET
        code = :code, refused_at = :refusedAt, rests_until = :until, refusals = :refusals
    `);
    this.#clearRest = db.prepare<[string, number]>(`
      UPDATE pace SET code = NULL, refused_at = 0, rests_until = 0, refusals = 0
      WHERE platform = ? AND refused_at <= ?
    `);
    this.#rows = db.prepare<[], Row>('SELECT * FROM pace ORDER BY platform');
  }

  reserve(reservation: Reservation): number {
    return this.#reserve.get(reservation) as number;
  }

  rest(platform: string): Rest | null {
    const row = this.#rowOf.get(platform);
    return row === undefined ? null : restOf(row);
  }

  /** Replaces the rest by what `next` makes of it, and returns that. */
  changeRest<R extends Rest | null>(platform: string, next: (rest: Rest | null) => R): R {
    return this.#db
      .transaction(() => {
        const rest = next(this.rest(platform));
        if (rest === null) this.#clearRest.run(platform, Number.MAX_SAFE_INTEGER);
        else this.#setRest.run({ platform, ...rest });
        return rest;
      })
      .immediate();
  }

  /** Ends the rest of a refusal that is not after `began`. */
  endRest(platform: string, began: number): void {
    this.#clearRest.run(platform, began);
  }

  platforms(): PlatformPace[] {
    return this.#rows
      .all()
      .map((row) => ({ platform: row.platform, nextAt: row.next_at, rest: restOf(row) }));
  }

  close(): void {
    this.#db.close();
  }
}
