import { type Clock, elapsed, hourMs, minuteMs } from './clock.js';

/**
 * The smallest change of the date that counts as a leap, and how long the date is distrusted afterwards, in
 * milliseconds.
 */
const [leapMs, doubtMs] = [minuteMs, hourMs];

/**
 * Detects a date that leaps relative to elapsed time: a time server was wrong, or a laptop slept. Nothing is deleted by
 * age until there was an hour to correct it.
 */
export class DateWatch {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  #offset: number;
  #leaptAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
    this.#offset = clock.now() - elapsed(clock);
  }

  /** Returns false within an hour of a leap. Call it every few minutes, because a clock may also run slightly fast. */
  isSteady(): boolean {
    const now = elapsed(this.#clock);
    const offset = this.#clock.now() - now;
    if (Math.abs(offset - this.#offset) >= leapMs) this.#leaptAt = now;
    this.#offset = offset;
    return now - this.#leaptAt >= doubtMs;
  }
}
