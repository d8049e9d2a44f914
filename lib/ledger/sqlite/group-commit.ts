import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { Database } from '../../sqlite/driver.js';
import { whenUnlocked } from '../../sqlite/lock-wait.js';
import { GroupQueue, type Outcome } from '../group-queue.js';
import type { Charge } from '../ledger.js';
import { ledgerFault } from './ledger-fault.js';

/** Lets answered calls pay, all in one, and gives what each would have given; throws when that cannot be. */
type PayTogether = (charges: readonly Charge[]) => readonly number[];

export interface GroupCommitOptions {
  /** Brings everything that was committed to the disk. None for a database in memory. */
  readonly sync?: (() => Promise<void>) | undefined;
  readonly payTogether?: PayTogether | undefined;
  /** Called when the disk is full, before the operations of the group are refused. */
  readonly onFull?: (() => void) | undefined;
}

interface Operation {
  readonly work: () => unknown;
  /** The answered call, when `work` does nothing but let it pay. */
  readonly charge: Charge | undefined;
}

/** Runs write operations in groups that share a durable transaction. The event loop goes on while one waits for the disk. */
export class GroupCommit {
  readonly #clock: Clock;
  readonly #sync: (() => Promise<void>) | undefined;
  readonly #onFull: (() => void) | undefined;
  readonly #transact: (group: readonly Operation[]) => Outcome[];
  readonly #queue = new GroupQueue<Operation>((group) => this.#commit(group));

  constructor(db: Database, clock: Clock, { sync, payTogether, onFull }: GroupCommitOptions = {}) {
    this.#clock = clock;
    this.#sync = sync;
    this.#onFull = onFull;
    const begin = db.prepare('BEGIN IMMEDIATE');
    const commit = db.prepare('COMMIT');
    const rollback = db.prepare('ROLLBACK');
    const mark = db.prepare('SAVEPOINT operation');
    const keep = db.prepare('RELEASE operation');
    const rollBack = db.prepare('ROLLBACK TO operation');

    const attempt = (work: () => unknown): Outcome => {
      mark.run();
      try {
        const value = work();
        keep.run();
        return { value };
      } catch (reason) {
        // Some faults (a full disk) make SQLite roll everything back by itself: then nobody's work is left.
        if (!db.inTransaction) throw reason;
        rollBack.run();
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
    const together = (group: readonly Operation[]): Outcome[] => {
      const charges = group.flatMap(({ charge }) => charge ?? []);
      return payTogether === undefined || charges.length < group.length
        ? group.map(({ work }) => ({ value: work() }))
        : payTogether(charges).map((value) => ({ value }));
    };
    this.#transact = (group) => {
      try {
        return within(() => together(group));
      } catch {
        // Rare enough to do it all again, each operation apart from the others.
        return within(() => group.map(({ work }) => attempt(work)));
      }
    };
  }

  /** Resolves when nothing is waiting to be written. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Runs `work` inside a transaction and resolves with what it returned once that is on the disk. When it throws, what
   * it wrote is undone and the promise rejects; the others of the group are not touched. `work` is synchronous and may
   * run again, when the lock was taken or another of the group failed. It does not run when `charge` was paid together
   * with others.
   */
  run<T>(work: () => T, charge?: Charge): Promise<T> {
    return this.#queue.add<T>({ work, charge });
  }

  async #commit(group: readonly Operation[]): Promise<readonly Outcome[]> {
    try {
      const outcomes = await whenUnlocked(this.#clock, () => this.#transact(group));
      await this.#sync?.();
      return outcomes.map((outcome) =>
        'value' in outcome ? outcome : { reason: ledgerFault(outcome.reason) },
      );
    } catch (cause) {
      const fault = ledgerFault(cause);
      if (fault instanceof StorageError && fault.fault === 'full') this.#onFull?.();
      throw fault;
    }
  }
}
