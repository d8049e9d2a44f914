import type { Postgres } from '../../postgres/postgres.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { refund } from './postings.js';
import { loadUnit, storeUnit } from './stored-unit.js';

/** Milliseconds between tries to give doubtful charges back. */
const retryMs = 1_000;
/** For so long a statement whose connection was lost may still be at work. Then what is not there will not come. */
const lingerMs = 30_000;
/** Charges that are remembered at most, and those that are looked for at once. */
const [maxRemembered, atOnce] = [100_000, 500];

interface Doubtful {
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
export class DoubtfulCharges {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #doubtful = new Map<string, Doubtful>();
  #disarm: (() => void) | undefined;

  constructor(postgres: Postgres, clock: Clock) {
    this.#postgres = postgres;
    this.#clock = clock;
  }

  /** How many charges are in doubt. */
  get count(): number {
    return this.#doubtful.size;
  }

  /** Remembers a charge of an id that was new when it was asked for, at `at` by the ledger's clock. */
  add(id: string, account: string, at: number): void {
    if (this.#doubtful.size >= maxRemembered || this.#doubtful.has(id)) return;
    this.#doubtful.set(id, { id, account, at, sentAt: elapsed(this.#clock) });
    this.#arm();
  }

  /** The id was charged after all, and its caller knows. */
  forget(id: string): void {
    this.#doubtful.delete(id);
  }

  /** Ends the tries; what is still in doubt is looked for a last time. */
  async close(): Promise<void> {
    this.#disarm?.();
    if (this.#doubtful.size > 0) await this.#resolve().catch(() => undefined);
    this.#disarm?.();
  }

  #arm(): void {
    this.#disarm ??= this.#clock.alarm(retryMs, () => void this.#turn(), false);
  }

  async #turn(): Promise<void> {
    // What the database does not take now it takes later.
    await this.#resolve().catch(() => undefined);
    this.#disarm = undefined;
    if (this.#doubtful.size > 0) this.#arm();
  }

  async #resolve(): Promise<void> {
    const some = [...this.#doubtful.values()].slice(0, atOnce);
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
    const ended = [...known, ...some.filter(({ sentAt }) => now - sentAt >= lingerMs)];
    for (const { id } of ended) this.#doubtful.delete(id);
  }
}
