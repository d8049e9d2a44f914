import type { Postgres } from '../../database/postgres/postgres.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { PeriodicTask } from '../../runtime/periodic-task.js';
import { refund } from '../postings.js';
import { loadUnit, storeUnit } from './books.js';

/** Milliseconds between tries to give charges in doubt back. */
const retryMs = 1_000;
/** For so long a statement whose connection was lost may still be at work. Then what is not there will not come. */
const graceMs = 30_000;
/** Charges that are remembered at most, and those that are looked for at once. */
const [maxRemembered, atOnce] = [100_000, 500];

interface InDoubt {
  readonly id: string;
  readonly account: string;
  /** When it was asked for, by the clock that only goes forward, and by the ledger's own. */
  readonly sentAt: number;
  readonly at: number;
}

/**
 * Charges whose connection was lost before the answer. Their callers were told that they failed, and nobody knows
 * whether they were made. As soon as the database is back, those that were are given back.
 */
export class InDoubtCharges {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #inDoubt = new Map<string, InDoubt>();
  readonly #tries: PeriodicTask;

  constructor(postgres: Postgres, clock: Clock) {
    this.#postgres = postgres;
    this.#clock = clock;
    this.#tries = new PeriodicTask(clock, retryMs, () => this.#turn(), false);
  }

  /** How many charges are in doubt. */
  get count(): number {
    return this.#inDoubt.size;
  }

  /** Remembers a charge of an id that was new when it was asked for, at `at` by the ledger's clock. */
  add(id: string, account: string, at: number): void {
    if (this.#inDoubt.size >= maxRemembered || this.#inDoubt.has(id)) return;
    this.#inDoubt.set(id, { id, account, at, sentAt: elapsed(this.#clock) });
    this.#tries.arm();
  }

  /** The id was charged after all, and its caller knows. */
  forget(id: string): void {
    this.#inDoubt.delete(id);
  }

  /** Ends the tries; what is still in doubt is looked for a last time. */
  async close(): Promise<void> {
    await this.#tries.stop();
    if (this.#inDoubt.size > 0) await this.#resolve().catch(() => undefined);
  }

  async #turn(): Promise<null | undefined> {
    // What the database does not take now it takes later.
    await this.#resolve().catch(() => undefined);
    return this.#inDoubt.size > 0 ? undefined : null;
  }

  async #resolve(): Promise<void> {
    const some = [...this.#inDoubt.values()].slice(0, atOnce);
    const now = elapsed(this.#clock);
    const known = await this.#postgres.transaction(async (queries) => {
      const ids = some.map(({ id }) => id);
      const unit = await loadUnit(queries, { ids, accounts: [], keys: [] }, this.#clock.now());
      const found = some.filter(({ id, account, at }) => {
        const row = unit.row(id);
        // A row of the same id that is older is that of another charge, which was made.
        if (row !== undefined && row.account === account && row.charged_at >= at) refund(unit, id);
        return row !== undefined;
      });
      await storeUnit(queries, unit);
      return found;
    });
    const ended = [...known, ...some.filter(({ sentAt }) => now - sentAt >= graceMs)];
    for (const { id } of ended) this.#inDoubt.delete(id);
  }
}
