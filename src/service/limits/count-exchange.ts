import { StorageError } from '../../../lib/errors/storage-error.js';
import { type Clock, elapsed } from '../../../lib/runtime/clock.js';
import { withTimeout } from '../../../lib/runtime/with-timeout.js';
import type { CallerTotal, SharedCounts } from './shared-counts.js';

/** A caller's requests in a window, as far as this process knows. */
export interface CountedWindow {
  used: number;
  /** The end of the window in milliseconds, on the monotonic clock. */
  ends: number;
  /** Requests in `used` that are not reported yet, and those being reported. */
  unsent: number;
  sending: number;
  /** The window of all servers; null before the first exchange. */
  began: number | null;
}

/** Milliseconds until counts are reported, and to wait for the response. */
const reportAfterMs = 250;
const timeoutMs = 1_000;
/** Milliseconds after an error in which each server counts on its own. */
const aloneMs = 1_000;

const late = () =>
  new StorageError('unreachable', 'The counts did not arrive in time. Check what keeps the database busy.');

/**
 * Reports this process's counts to the store, and receives the totals. One exchange runs at a time; later counts go
 * with the next. If the store cannot be used, each server counts on its own.
 */
export class CountExchange {
  readonly #name: string;
  readonly #counts: SharedCounts;
  readonly #clock: Clock;
  #changed = new Map<string, CountedWindow>();
  #running: Promise<void> | undefined;
  #disarm: (() => void) | undefined;
  #aloneUntil = Number.NEGATIVE_INFINITY;

  constructor(name: string, counts: SharedCounts, clock: Clock) {
    this.#name = name;
    this.#counts = counts;
    this.#clock = clock;
  }

  note(caller: string, window: CountedWindow): void {
    window.unsent += 1;
    this.#changed.set(caller, window);
    this.#arm();
  }

  /** Resolves when the current exchange, or one that starts now, has ended; undefined if the store cannot be used. */
  settle(): Promise<void> | undefined {
    if (elapsed(this.#clock) < this.#aloneUntil) return undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#arm();
    });
    return this.#running;
  }

  #arm(): void {
    if (this.#disarm !== undefined || this.#running !== undefined || this.#changed.size === 0) return;
    this.#disarm = this.#clock.alarm(
      reportAfterMs,
      () => {
        this.#disarm = undefined;
        if (this.settle() === undefined) this.#arm();
      },
      false,
    );
  }

  async #run(): Promise<void> {
    this.#disarm?.();
    this.#disarm = undefined;
    const windows = this.#changed;
    this.#changed = new Map();
    const began = elapsed(this.#clock);
    const counts = [...windows].flatMap(([caller, window]) => {
      const remainingMs = window.ends - began;
      if (remainingMs <= 0) return [];
      window.sending = window.unsent;
      window.unsent = 0;
      return [{ caller: `${this.#name} ${caller}`, used: window.sending, left: remainingMs }];
    });
    if (counts.length === 0) return;
    try {
      const totals = await withTimeout(this.#counts.add(counts), timeoutMs, this.#clock, late);
      for (const total of totals) {
        const window = windows.get(total.caller.slice(this.#name.length + 1));
        if (window !== undefined) this.#takeOver(window, total);
      }
    } catch {
      // Never refuse or fail a request because counts could not be exchanged.
      this.#aloneUntil = elapsed(this.#clock) + aloneMs;
    } finally {
      // After an error it is unknown whether they were added. Adding them twice would refuse permitted requests.
      for (const window of windows.values()) window.sending = 0;
    }
  }

  #takeOver(window: CountedWindow, { used, began, left }: CallerTotal): void {
    const all = used + window.unsent;
    // Within a window a count never falls: some of it may not have reached the store.
    window.used = window.began === began ? Math.max(window.used, all) : all;
    window.began = began;
    window.ends = Math.floor(elapsed(this.#clock)) + Math.floor(left);
  }
}
