import { LRUCache } from 'lru-cache';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { minuteMs } from '../../../lib/runtime/clock.js';

/** Keys whose last written minute is remembered; another one is written once more. */
const maxRemembered = 10_000;

/**
 * When each key was last used, to the minute. A key is written at most once a minute, after the call that used it. No
 * call waits, and none fails when the time cannot be written.
 */
export class KeyUses {
  readonly #database: LedgerDatabase;
  readonly #written = new LRUCache<string, number>({ max: maxRemembered });
  readonly #write;

  constructor(database: LedgerDatabase) {
    this.#database = database;
    this.#write = database.db.prepare<[string, number]>(
      `INSERT INTO key_uses (key, used_at) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE SET used_at = max(used_at, excluded.used_at)`,
    );
  }

  note(key: string, now: number): void {
    const minute = now - (now % minuteMs);
    if (this.#written.get(key) === minute) return;
    this.#written.set(key, minute);
    this.#database.write(() => this.#write.run(key, minute)).catch(() => this.#written.delete(key));
  }
}
