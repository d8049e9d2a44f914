import type { VisitLimits } from './limits.js';

/**
 * How long a page at rest is waited for. Pages pause for two or three seconds before they ask for more, and slow ones for
 * eight (2026-11), so each wait is longer than the one before, until nothing more is expected.
 */
export class Patience {
  readonly #limits: Pick<VisitLimits, 'quietMs' | 'patienceMs' | 'gestureMs'>;
  #waited = 0;
  #next: number;

  constructor(limits: Pick<VisitLimits, 'quietMs' | 'patienceMs' | 'gestureMs'>) {
    this.#limits = limits;
    this.#next = limits.quietMs;
  }

  /** True once a page was at rest for all the time that it is given. */
  get isOver(): boolean {
    return this.#waited >= this.#limits.patienceMs;
  }

  /** Milliseconds of rest for which the page is waited for now. */
  take(): number {
    const { patienceMs, gestureMs } = this.#limits;
    const ms = Math.min(this.#next, gestureMs, Math.max(0, patienceMs - this.#waited));
    this.#waited += ms;
    this.#next *= 2;
    return ms;
  }

  /** Something came: what follows is waited for as long again. */
  renew(): void {
    this.#waited = 0;
    this.#next = this.#limits.quietMs;
  }
}
