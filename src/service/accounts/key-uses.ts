import { LRUCache } from 'lru-cache';
import type { Database } from '../../../lib/database/database.js';
import { maxSkewMs, minuteMs } from '../../../lib/runtime/clock.js';

/** Maximum keys whose last written minute is remembered. */
const maxRemembered = 10_000;

/**
 * The last use of each key, to the minute. Written at most once a minute per process, after the call. No call waits for
 * it or fails because of it.
 */
export class KeyUses {
  readonly #database: Database;
  readonly #written = new LRUCache<string, number>({ max: maxRemembered });

  constructor(database: Database) {
    this.#database = database;
  }

  note(key: string, now: number): void {
    const minute = now - (now % minuteMs);
    if (this.#written.get(key) === minute) return;
    this.#written.set(key, minute);
    this.#database
      .write((queries) =>
        queries.run(
          // Locks the key, so that nothing of it remains if its account is being deleted.
          `INSERT INTO key_uses (key, used_at)
             SELECT id, CAST($2 AS bigint) FROM api_keys WHERE id = $1 ${queries.dialect.forUpdate}
           ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at
             WHERE key_uses.used_at NOT BETWEEN excluded.used_at AND excluded.used_at + ${maxSkewMs}`,
          [key, minute],
        ),
      )
      .catch(() => this.#written.delete(key));
  }
}
