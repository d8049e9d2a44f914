import type { CallSignal } from '../../runtime/abort.js';

interface Waiter {
  start(): void;
}

/**
 * A bounded number of places. Callers take turns: one with hundreds of visits does not hold up another with a single
 * one. A caller's own visits come in the order in which they were asked for.
 */
export class Turns {
  readonly #places: number;
  #taken = 0;
  /** The waiting visits, by caller; the caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(places: number) {
    this.#places = places;
  }

  /** True where somebody waits for a place. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** Places that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** True where the next one to come has to wait. */
  get isFull(): boolean {
    return this.#taken >= this.#places;
  }

  /** Resolves with the way to give the place back. Rejects with the signal's reason when aborted before. */
  async take(caller: string, signal: CallSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.isFull) await this.#wait(caller, signal);
    else this.#taken += 1;
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      this.#next();
    };
  }

  #wait(caller: string, signal: CallSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const rest = (this.#waiting.get(caller) ?? []).filter((one) => one !== waiter);
        if (rest.length > 0) this.#waiting.set(caller, rest);
        else this.#waiting.delete(caller);
        reject(signal.reason);
      };
      const waiter = {
        start() {
          signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), waiter]);
    });
  }

  /** Hands a place on to the next caller, who then stands last, or leaves it free. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#taken -= 1;
      return;
    }
    const [caller, [waiter, ...rest]] = first;
    this.#waiting.delete(caller);
    if (rest.length > 0) this.#waiting.set(caller, rest);
    waiter?.start();
  }
}
