import { coalesce } from '../runtime/coalesce.js';

export type Outcome = { readonly value: unknown } | { readonly reason: unknown };

interface Waiter {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Maximum entries per transaction. Bounds how long the event loop is blocked or a lock is held. */
const maxGroup = 500;

/**
 * Gathers entries into groups that share a transaction. A group contains what one turn of the event loop queued, and
 * later entries as long as each turn brings more. While one group commits, the next is gathered. A single entry does
 * not wait, and groups grow with the load.
 */
export class GroupQueue<Entry> {
  readonly #commit: (group: readonly Entry[]) => Promise<readonly Outcome[]>;
  readonly #keep: (outcomes: readonly Outcome[], group: readonly Entry[]) => Promise<readonly Outcome[]>;
  #entries: Entry[] = [];
  #waiting: Waiter[] = [];
  #flushing = false;
  /** Committed groups whose callers were not notified yet. */
  #unheard = 0;

  /**
   * `commit` writes the entries of a group. `keep` resolves once the result is durable, while the next group is
   * gathered. If either rejects, so does every entry of the group.
   */
  constructor(
    commit: (group: readonly Entry[]) => Promise<readonly Outcome[]>,
    keep = async (outcomes: readonly Outcome[], _group: readonly Entry[]) => outcomes,
  ) {
    this.#commit = commit;
    this.#keep = keep;
  }

  /** Resolves with the outcome of an entry once its group is committed; rejects with the entry's error. */
  add<T>(entry: Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#entries.push(entry);
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  async idle(): Promise<void> {
    while (this.#flushing || this.#unheard > 0) await new Promise((turn) => setImmediate(turn));
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#entries.length > 0) {
      await coalesce(() => this.#entries.length);
      const waiters = this.#waiting.splice(0, maxGroup);
      const group = this.#entries.splice(0, maxGroup);
      const commit = this.#commit(group);
      void this.#tell(
        commit.then((outcomes) => this.#keep(outcomes, group)),
        waiters,
      );
      await commit.catch(() => undefined);
    }
    this.#flushing = false;
  }

  async #tell(committed: Promise<readonly Outcome[]>, waiters: readonly Waiter[]): Promise<void> {
    this.#unheard += 1;
    try {
      const outcomes = await committed;
      outcomes.forEach((outcome, index) => {
        if ('value' in outcome) waiters[index]?.resolve(outcome.value);
        else waiters[index]?.reject(outcome.reason);
      });
    } catch (fault) {
      for (const { reject } of waiters) reject(fault);
    } finally {
      this.#unheard -= 1;
    }
  }
}
