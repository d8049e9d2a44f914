import type { Database } from 'better-sqlite3';
import type { Clock } from '../clock.js';
import { gathered } from '../gathered.js';
import { ledgerFault } from './ledger-fault.js';
import { whenUnlocked } from './lock-patience.js';

interface Waiting {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly reason: unknown };

/** Operations of one transaction at most: bounds the time the event loop stands still. */
const largestGroup = 500;

/**
 * Runs write operations in groups that share a durable transaction: all that were asked for in one turn of the
 * event loop, and in the turns after it as long as each brings more. While a group waits for the disk the event
 * loop goes on and the next one gathers: a lonely operation waits for nobody, and the busier it is the larger the
 * groups get.
 */
export class GroupCommit {
  readonly #clock: Clock;
  readonly #sync: () => Promise<void>;
  readonly #transact: (group: readonly Waiting[]) => Outcome[];
  #queue: Waiting[] = [];
  #flushing = false;

  /** `sync` resolves when everything that was committed before is on the disk; none for a database in memory. */
  constructor(db: Database, clock: Clock, sync: () => Promise<void> = async () => undefined) {
    this.#clock = clock;
    this.#sync = sync;
    const begin = db.prepare('BEGIN IMMEDIATE');
    const commit = db.prepare('COMMIT');
    const rollback = db.prepare('ROLLBACK');
    const mark = db.prepare('SAVEPOINT operation');
    const keep = db.prepare('RELEASE operation');
    const undo = db.prepare('ROLLBACK TO operation');

    const attempt = (work: () => unknown): Outcome => {
      mark.run();
      try {
        const value = work();
        keep.run();
        return { value };
      } catch (reason) {
        // Some faults (a full disk) make SQLite roll everything back by itself: then nobody's work is left.
        if (!db.inTransaction) throw reason;
        undo.run();
        keep.run();
        return { reason };
      }
    };
    const within = (work: () => Outcome[]): Outcome[] => {
      begin.run();
      try {
        const outcomes = work();
        commit.run();
        return outcomes;
      } catch (cause) {
        if (db.inTransaction) rollback.run();
        throw cause;
      }
    };
    this.#transact = (group) => {
      try {
        return within(() => group.map(({ work }) => ({ value: work() })));
      } catch {
        // Rare enough to do it all again, each operation apart from the others.
        return within(() => group.map(({ work }) => attempt(work)));
      }
    };
  }

  /** Resolves when nothing is waiting to be written. */
  async idle(): Promise<void> {
    while (this.#flushing) await new Promise((turn) => setImmediate(turn));
  }

  /**
   * Runs `work` inside a transaction and resolves with what it returned once that is on the disk. When it
   * throws, what it wrote is undone and the promise rejects; the others of the group are not touched.
   * `work` is synchronous and may run again, when the lock was not to be had or another of the group failed.
   */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#queue.length > 0) {
      await gathered(() => this.#queue.length);
      const group = this.#queue.splice(0, largestGroup);
      try {
        const outcomes = await whenUnlocked(this.#clock, () => this.#transact(group));
        await this.#sync();
        outcomes.forEach((outcome, index) => {
          if ('value' in outcome) group[index]?.resolve(outcome.value);
          else group[index]?.reject(ledgerFault(outcome.reason));
        });
      } catch (cause) {
        const fault = ledgerFault(cause);
        for (const { reject } of group) reject(fault);
      }
    }
    this.#flushing = false;
  }
}
