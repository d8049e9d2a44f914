import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import { type Clock, elapsed } from '../../../lib/runtime/clock.js';

/** Milliseconds after which the version is read again in the background, and after which calls wait for it. */
const refreshMs = 250;
const maxAgeMs = 800;

export const versionSql = '(SELECT version FROM access)';

/**
 * The database's count of changes to keys and accounts. A version read over a network is at most 0.8 s old, so every
 * server refuses a revoked key within a second without a query per call.
 */
export class AccessVersion {
  readonly #database: Database;
  readonly #clock: Clock;
  #known = -1;
  /** When the query that read it started. */
  #asOf = Number.NEGATIVE_INFINITY;
  /** Changes made by this process. A query that started before the last one does not count. */
  #changes = 0;
  #checking: Promise<void> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns true if data read at this version is current, as far as this process knows. */
  isLast(version: number): boolean {
    return version === this.#known;
  }

  /**
   * Resolves when the latest version is known recently enough; undefined if it already is. Rejects with a
   * `StorageError`.
   */
  wait(): Promise<void> | undefined {
    // A local query is almost free, so one serves a turn of the event loop.
    if (!this.#database.isRemote) return this.#check();
    const check = this.#checkIfOld();
    // The running query may have taken too long. The next one starts after this call.
    return check?.then(() => this.#checkIfOld());
  }

  #checkIfOld(): Promise<void> | undefined {
    const age = elapsed(this.#clock) - this.#asOf;
    if (age < refreshMs) return undefined;
    const check = this.#check();
    if (age >= maxAgeMs) return check;
    // If a background query fails, a call repeats it and waits.
    check.catch(() => undefined);
    return undefined;
  }

  /** Runs a statement that reads the version along with its row. */
  async readWith<Row extends object>(
    work: (queries: Queries) => Promise<(Row & { readonly version: number }) | undefined>,
  ): Promise<(Row & { readonly version: number }) | undefined> {
    const began = elapsed(this.#clock);
    const changes = this.#changes;
    const row = await this.#database.read(work);
    if (row !== undefined && changes === this.#changes && began >= this.#asOf) {
      this.#known = row.version;
      this.#asOf = began;
    }
    return row;
  }

  /** Must be called after this process changes a key or an account, so that no call uses stale data. */
  invalidate(): void {
    this.#changes += 1;
    this.#asOf = Number.NEGATIVE_INFINITY;
    this.#known = -1;
    this.#checking = undefined;
  }

  #check(): Promise<void> {
    if (this.#checking !== undefined) return this.#checking;
    const check = this.readWith((queries) =>
      queries.first<{ readonly version: number }>({
        name: 'access-version',
        text: 'SELECT version FROM access',
      }),
    )
      .then(() => undefined)
      .finally(() => {
        const end = () => {
          if (this.#checking === check) this.#checking = undefined;
        };
        if (this.#database.isRemote) end();
        else setImmediate(end);
      });
    this.#checking = check;
    return check;
  }
}
