import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import { GroupQueue, type Outcome } from '../group-queue.js';
import type { Database } from './driver.js';
import { whenUnlocked } from './lock-wait.js';

export interface GroupCommitOptions<Item> {
  /** The error of the port for what SQLite threw. */
  readonly fault: (cause: unknown) => Error;
  /** Brings everything that was committed to the disk. None for a database in memory. */
  readonly sync?: (() => Promise<void>) | undefined;
  /** Does the work of many items in one, and gives what each would have given; throws when that cannot be. */
  readonly together?: ((items: readonly Item[]) => readonly unknown[]) | undefined;
  /** Called when the disk is full, before the operations of the group are refused. */
  readonly onFull?: (() => void) | undefined;
}

interface Operation<Item> {
  readonly work: () => unknown;
  /** Set when `work` does nothing but what `together` does for this item. */
  readonly item?: Item | undefined;
  /** True for work that awaits its statements. */
  readonly awaits: boolean;
}

/** Runs write operations in groups that share a durable transaction. The event loop goes on while one waits for the disk. */
export class GroupCommit<Item = never> {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #options: GroupCommitOptions<Item>;
  readonly #sql;
  readonly #queue = new GroupQueue<Operation<Item>>((group) => this.#commit(group));
  /** Resolves when the transaction that is open between two turns has ended. */
  #open: Promise<unknown> | undefined;

  constructor(db: Database, clock: Clock, options: GroupCommitOptions<Item>) {
    this.#db = db;
    this.#clock = clock;
    this.#options = options;
    this.#sql = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
      mark: db.prepare('SAVEPOINT operation'),
      keep: db.prepare('RELEASE operation'),
      rollBack: db.prepare('ROLLBACK TO operation'),
    };
  }

  /** Resolves when nothing is waiting to be written. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Runs `work` inside a transaction and resolves with what it returned once that is on the disk. When it throws, what
   * it wrote is undone and the promise rejects; the others of the group are not touched. `work` is synchronous and may
   * run again, when the lock was taken or another of the group failed. It does not run when `item` was done together
   * with others.
   */
  run<T>(work: () => T, item?: Item): Promise<T> {
    return this.#queue.add<T>({ work, item, awaits: false });
  }

  /** `run` for work that awaits its statements, and nothing else: the whole file waits for it. */
  runAwaiting<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.add<T>({ work, awaits: true });
  }

  /** Reads from the connection that writes, between transactions. */
  async read<T>(work: () => T): Promise<T> {
    while (this.#open !== undefined) await this.#open;
    return work();
  }

  async #commit(group: readonly Operation<Item>[]): Promise<readonly Outcome[]> {
    const { fault, sync, onFull } = this.#options;
    try {
      const outcomes = group.some(({ awaits }) => awaits)
        ? await this.#transactAwaiting(group)
        : await whenUnlocked(this.#clock, () => this.#transact(group));
      await sync?.();
      return outcomes.map((outcome) => ('value' in outcome ? outcome : { reason: fault(outcome.reason) }));
    } catch (cause) {
      const named = fault(cause);
      if (named instanceof StorageError && named.fault === 'full') onFull?.();
      throw named;
    }
  }

  #transact(group: readonly Operation<Item>[]): Outcome[] {
    try {
      return this.#within(() => this.#together(group));
    } catch {
      // Rare enough to do it all again, each operation apart from the others.
      return this.#within(() => group.map(({ work }) => this.#attempt(work)));
    }
  }

  #within(work: () => Outcome[]): Outcome[] {
    this.#sql.begin.run();
    try {
      const outcomes = work();
      this.#sql.commit.run();
      return outcomes;
    } catch (cause) {
      this.#rollBackAll();
      throw cause;
    }
  }

  #together(group: readonly Operation<Item>[]): Outcome[] {
    const { together } = this.#options;
    const items = group.flatMap(({ item }) => item ?? []);
    return together === undefined || items.length < group.length
      ? group.map(({ work }) => ({ value: work() }))
      : together(items).map((value) => ({ value }));
  }

  #attempt(work: () => unknown): Outcome {
    this.#sql.mark.run();
    try {
      const value = work();
      this.#sql.keep.run();
      return { value };
    } catch (reason) {
      return this.#undone(reason);
    }
  }

  async #transactAwaiting(group: readonly Operation<Item>[]): Promise<Outcome[]> {
    await whenUnlocked(this.#clock, () => this.#sql.begin.run());
    let end: () => void = () => undefined;
    this.#open = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      const outcomes: Outcome[] = [];
      for (const { work } of group) outcomes.push(await this.#attemptAwaiting(work));
      this.#sql.commit.run();
      return outcomes;
    } catch (cause) {
      this.#rollBackAll();
      throw cause;
    } finally {
      this.#open = undefined;
      end();
    }
  }

  async #attemptAwaiting(work: () => unknown): Promise<Outcome> {
    this.#sql.mark.run();
    try {
      const value = await work();
      this.#sql.keep.run();
      return { value };
    } catch (reason) {
      return this.#undone(reason);
    }
  }

  /** Undoes the operation that threw. Some faults (a full disk) make SQLite undo the whole group by itself. */
  #undone(reason: unknown): Outcome {
    if (!this.#db.inTransaction) throw reason;
    this.#sql.rollBack.run();
    this.#sql.keep.run();
    return { reason };
  }

  #rollBackAll(): void {
    if (this.#db.inTransaction) this.#sql.rollback.run();
  }
}
