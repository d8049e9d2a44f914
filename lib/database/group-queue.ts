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
 * ones while each brings more. One group is under way, and the next gathers meanwhile. A lonely entry waits for nobody,
 * and the busier it is the larger the groups get.
 */
export class GroupQueue<Entry> {
  readonly #commit: (group: readonly Entry[]) => Promise<readonly Outcome[]>;
  #entries: Entry[] = [];
  #waiting: Waiting[] = [];
  #flushing = false;

  /** `commit` makes the entries of a group; where it rejects, all of them are refused with that. */
  constructor(commit: (group: readonly Entry[]) => Promise<readonly Outcome[]>) {
    this.#commit = commit;
  }

  /** Resolves with what came of an entry once its group is committed, and rejects with what it was refused for. */
  add<T>(entry: Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#entries.push(entry);
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  /** Resolves when nothing is waiting to be committed. */
  async idle(): Promise<void> {
    while (this.#flushing) await new Promise((turn) => setImmediate(turn));
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#entries.length > 0) {
      await coalesce(() => this.#entries.length);
      const waiting = this.#waiting.splice(0, maxGroup);
      try {
        const outcomes = await this.#commit(this.#entries.splice(0, maxGroup));
        outcomes.forEach((outcome, index) => {
          if ('value' in outcome) waiting[index]?.resolve(outcome.value);
          else waiting[index]?.reject(outcome.reason);
        });
      } catch (fault) {
        for (const { reject } of waiting) reject(fault);
      }
    }
    this.#flushing = false;
  }
}
