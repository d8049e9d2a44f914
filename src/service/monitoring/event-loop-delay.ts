import { monitorEventLoopDelay } from 'node:perf_hooks';
import { minuteMs } from '../../../lib/runtime/clock.js';
import { windowMinutes } from './recent-minutes.js';

/** Delays of the event loop, in milliseconds. */
export interface LoopDelays {
  readonly p99: number;
  readonly max: number;
}

const resolutionMs = 20;
const inMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);

/** Measures how long the event loop is blocked: the worst of each of the last fifteen minutes. */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #timer: NodeJS.Timeout;
  #minutes: LoopDelays[] = [];

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => {
      this.#minutes = [...this.#minutes, this.#present()].slice(1 - windowMinutes);
      this.#histogram.reset();
    }, minuteMs);
    this.#timer.unref();
  }

  /** Returns the worst minute of the last fifteen; null before anything was measured. */
  worst(): LoopDelays | null {
    const all = this.#histogram.count === 0 ? this.#minutes : [...this.#minutes, this.#present()];
    if (all.length === 0) return null;
    return { p99: Math.max(...all.map(({ p99 }) => p99)), max: Math.max(...all.map(({ max }) => max)) };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #present(): LoopDelays {
    return { p99: inMs(this.#histogram.percentile(99)), max: inMs(this.#histogram.max) };
  }
}
