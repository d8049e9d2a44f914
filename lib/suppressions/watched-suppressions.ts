import { type Clock, elapsed } from '../runtime/clock.js';
import type { SuppressedSubjects } from './suppressed-subjects.js';
import type { Suppressions } from './suppressions.js';

/** Milliseconds for which a process uses the list it read. Other processes' changes apply after that. */
const freshMs = 1_000;

/**
 * The suppressed subjects for calls. An empty list costs one comparison of times. Once a second, a call checks whether
 * the list has changed, and waits for the result.
 */
export class WatchedSuppressions {
  readonly #store: () => Promise<Suppressions>;
  readonly #clock: Clock;
  #subjects: SuppressedSubjects | null = null;
  #mark: string | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<SuppressedSubjects | null> | undefined;

  constructor(store: () => Promise<Suppressions>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Null for none. Rejects with the store's errors, so that nothing suppressed is ever returned. */
  current(): SuppressedSubjects | null | Promise<SuppressedSubjects | null> {
    if (elapsed(this.#clock) - this.#readAt < freshMs) return this.#subjects;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<SuppressedSubjects | null> {
    const at = elapsed(this.#clock);
    const store = await this.#store();
    const mark = await store.mark();
    if (mark === null) this.#subjects = null;
    else if (mark !== this.#mark || this.#subjects === null) {
      const { SuppressedSubjects } = await import('./suppressed-subjects.js');
      this.#subjects = new SuppressedSubjects(await store.list());
    }
    this.#mark = mark;
    this.#readAt = at;
    return this.#subjects;
  }
}
