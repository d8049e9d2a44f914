import type { VisitLimits } from './limits.js';

/**
 * How long to wait for an idle page. Pages pause for two or three seconds before they request more, slow ones for eight
 * (2026-11), so each wait is longer than the one before until nothing more is expected.
 */
export class Patience {
  readonly #limits: Pick<VisitLimits, 'quietMs' | 'patienceMs' | 'gestureMs'>;
  #waited = 0;
  #next: number;

  constructor(limits: Pick<VisitLimits, 'quietMs' | 'patienceMs' | 'gestureMs'>) {
    this.#limits = limits;
    this.#next = limits.quietMs;
  }

  get isOver(): boolean {
    return this.#waited >= this.#limits.patienceMs;
  }

  take(): number {
    const { patienceMs, gestureMs } = this.#limits;
    const ms = Math.min(this.#next, gestureMs, Math.max(0, patienceMs - this.#waited));
    this.#waited += ms;
    this.#next *= 2;
    return ms;
  }

  /** Restores the full time after something arrived. */
  renew(): void {
    this.#waited = 0;
    this.#next = this.#limits.quietMs;
  }
}
