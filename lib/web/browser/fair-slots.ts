import type { CallSignal } from '../../runtime/abort.js';

interface Waiter {
  start(): void;
}

/**
 * A limited number of slots, granted to callers in turn, so that a caller with hundreds of visits does not delay
 * another with one. Each caller's own visits are served in order.
 */
export class FairSlots {
  readonly #slots: number;
  #taken = 0;
  /** Waiting visits by caller; the next caller comes first. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.#slots;
  }

  /** Resolves with a function that frees the slot. Rejects with the signal's reason if aborted first. */
  async take(caller: string, signal: CallSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.isFull) await this.#wait(caller, signal);
    else this.#taken += 1;
    let isGranted = true;
    return () => {
      if (!isGranted) return;
      isGranted = false;
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

  /** Passes a slot to the next caller, who then moves to the end of the line, or frees it. */
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
