import { type Clock, elapsed, hourMs, minuteMs } from './clock.js';

/** Milliseconds by which a date leaps at least, and those for which it is doubted then. */
const [leapMs, doubtMs] = [minuteMs, hourMs];

/**
 * Tells a date that runs on from one that leapt beside the time that passed: a time server was wrong, or a laptop slept. Nothing
 * is deleted by its age before there was an hour to correct it.
 */
export class DateWatch {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  #offset: number;
  #leaptAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
    this.#offset = clock.now() - elapsed(clock);
  }

  /** False within an hour of a leap; to be asked every few minutes, as a clock may also run a little fast. */
  isSteady(): boolean {
    const passed = elapsed(this.#clock);
    const offset = this.#clock.now() - passed;
    if (Math.abs(offset - this.#offset) >= leapMs) this.#leaptAt = passed;
    this.#offset = offset;
    return passed - this.#leaptAt >= doubtMs;
  }
}
