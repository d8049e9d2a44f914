import { setImmediate } from 'node:timers/promises';
import type { CallSignal } from '../../lib/runtime/abort.js';
import type { Clock } from '../../lib/runtime/clock.js';

interface Sleeper {
  readonly isAlarm: boolean;
  readonly ms: number;
  readonly at: number;
  readonly wake: () => void;
}

/** Time that advances only when the test moves it. */
export class FakeClock implements Clock {
  /** Milliseconds of every requested sleep, in order. */
  readonly slept: number[] = [];
  /** Milliseconds from 1970 to the start of the test, since then, and by which the clock was set off. */
  #now: number;
  #ahead = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(now = Date.parse('2026-01-01T00:00:00Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now + this.#ahead;
  }

  elapsed(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: CallSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.slept.push(ms);
      const abort = () => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { isAlarm: false, ms, at: this.#now + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  alarm(ms: number, ring: () => void): () => void {
    this.slept.push(ms);
    const wake = () => {
      this.#sleepers.delete(sleeper);
      ring();
    };
    const sleeper = { isAlarm: true, ms, at: this.#now + ms, wake };
    this.#sleepers.add(sleeper);
    return () => this.#sleepers.delete(sleeper);
  }

  /** Number of sleepers. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Advances time and wakes the sleepers in order. Work started by one finishes before the next wakes. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await setImmediate();
      const due = [...this.#sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.at);
      due.wake();
    }
    this.#now = end;
    await setImmediate();
  }

  /** Milliseconds until the next sleeper wakes, including alarms or not; undefined if there is none. */
  untilNext(alarms: boolean): number | undefined {
    const moments = [...this.#sleepers].filter(({ isAlarm }) => alarms || !isAlarm).map(({ at }) => at);
    return moments.length === 0 ? undefined : Math.max(0, Math.min(...moments) - this.#now);
  }

  /** Sets the time without waking a sleeper, as when a clock is corrected. */
  set(now: number): void {
    this.#ahead = now - this.#now;
  }

  /** Waits, in real time, until this many sleep. */
  async untilSleeping(count: number): Promise<void> {
    while (this.#sleepers.size < count) await setImmediate();
  }

  /** Waits for work and immediately wakes every sleep shorter than `below` ms: short waits pass, time limits do not. */
  async passing<T>(work: Promise<T>, below = 10_000): Promise<T> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    work.then(settle, settle);
    while (!settled) {
      const next = [...this.#sleepers].filter(({ ms }) => ms < below).sort((a, b) => a.at - b.at)[0];
      if (next !== undefined) await this.advance(Math.max(0, next.at - this.#now));
      await setImmediate();
    }
    return work;
  }
}
