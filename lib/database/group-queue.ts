import { coalesce } from '../runtime/coalesce.js';

/** The outcome of one entry of a group. */
export type Outcome = { readonly value: unknown } | { readonly reason: unknown };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Entries of one transaction at most: bounds how long the event loop stands still, or a lock is held. */
const maxGroup = 500;

/**
 * Gathers entries into groups that share a transaction. A group holds what one turn of the event loop queued, and later
 * ones while each brings more. One group is made at a time, and the next gathers meanwhile. A lonely entry waits for
 * nobody, and the busier it is the larger the groups get.
 */
export class GroupQueue<Entry> {
  readonly #commit: (group: readonly Entry[]) => Promise<readonly Outcome[]>;
  readonly #keep: (outcomes: readonly Outcome[], group: readonly Entry[]) => Promise<readonly Outcome[]>;
  #entries: Entry[] = [];
  #waiting: Waiting[] = [];
  #flushing = false;
  /** Groups that were made and whose entries have not heard. */
  #unheard = 0;

  /**
   * `commit` makes the entries of a group, and `keep` resolves when what came of them will last, while the next group is
   * made. Where one rejects, all entries of the group are refused with that.
   */
  constructor(
    commit: (group: readonly Entry[]) => Promise<readonly Outcome[]>,
    keep = async (outcomes: readonly Outcome[], _group: readonly Entry[]) => outcomes,
  ) {
    this.#commit = commit;
    this.#keep = keep;
  }

  /** Resolves with what came of an entry once its group is committed, and rejects with what it was refused for. */
  add<T>(entry: Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#entries.push(entry);
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  /** Resolves when nothing is waiting to be committed, or to be told. */
  async idle(): Promise<void> {
    while (this.#flushing || this.#unheard > 0) await new Promise((turn) => setImmediate(turn));
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#entries.length > 0) {
      await coalesce(() => this.#entries.length);
      const waiting = this.#waiting.splice(0, maxGroup);
      const group = this.#entries.splice(0, maxGroup);
      const made = this.#commit(group);
      void this.#tell(
        made.then((outcomes) => this.#keep(outcomes, group)),
        waiting,
      );
      await made.catch(() => undefined);
    }
    this.#flushing = false;
  }

  async #tell(kept: Promise<readonly Outcome[]>, waiting: readonly Waiting[]): Promise<void> {
    this.#unheard += 1;
    try {
      const outcomes = await kept;
      outcomes.forEach((outcome, index) => {
        if ('value' in outcome) waiting[index]?.resolve(outcome.value);
        else waiting[index]?.reject(outcome.reason);
      });
    } catch (fault) {
      for (const { reject } of waiting) reject(fault);
    } finally {
      this.#unheard -= 1;
    }
  }
}
