import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import { type Clock, elapsed } from '../../../lib/runtime/clock.js';

/** Milliseconds after which a check is repeated in the background, and after which calls wait for it. */
const lookAgainMs = 250;
const believedMs = 800;

/** The number of changes of keys and accounts, as SQL. */
export const versionSql = '(SELECT version FROM access)';

/**
 * The count of changes of keys and accounts in the database. A version read over a network is at most 0.8 s old, so
 * every server refuses a revoked key within a second, and calls need not wait for a check each.
 */
export class AccessVersion {
  readonly #database: Database;
  readonly #clock: Clock;
  #known = -1;
  /** When the statement that read it started. */
  #asOf = Number.NEGATIVE_INFINITY;
  /** Changes made by this process. A check that started before the last one does not count. */
  #changes = 0;
  #looking: Promise<void> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns true for data read at the version that is still believed to be the latest. */
  isLast(version: number): boolean {
    return version === this.#known;
  }

  /**
   * Resolves when the latest version is known recently enough; undefined if it already is. Rejects with a
   * `StorageError`.
   */
  wait(): Promise<void> | undefined {
    // If a check is almost free, one serves a turn of the event loop.
    if (!this.#database.isRemote) return this.#look();
    const check = this.#lookWhenOld();
    // The running check may have taken too long. The next one starts after this call.
    return check?.then(() => this.#lookWhenOld());
  }

  #lookWhenOld(): Promise<void> | undefined {
    const age = elapsed(this.#clock) - this.#asOf;
    if (age < lookAgainMs) return undefined;
    const check = this.#look();
    if (age >= believedMs) return check;
    // A background check that fails is repeated by one that calls wait for.
    check.catch(() => undefined);
    return undefined;
  }

  /** Runs a statement that reads the version along with its row, and records the version. */
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

  /** Must be called when this process has changed something, so that no call relies on earlier data. */
  invalidate(): void {
    this.#changes += 1;
    this.#asOf = Number.NEGATIVE_INFINITY;
    this.#known = -1;
    this.#looking = undefined;
  }

  #look(): Promise<void> {
    if (this.#looking !== undefined) return this.#looking;
    const looking = this.readWith((queries) =>
      queries.first<{ readonly version: number }>({
        name: 'access-version',
        text: 'SELECT version FROM access',
      }),
    )
      .then(() => undefined)
      .finally(() => {
        const end = () => {
          if (this.#looking === looking) this.#looking = undefined;
        };
        if (this.#database.isRemote) end();
        else setImmediate(end);
      });
    this.#looking = looking;
    return looking;
  }
}
