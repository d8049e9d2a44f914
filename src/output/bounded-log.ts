import type { Clock } from '../../lib/runtime/clock.js';
import type { LogSink } from './log.js';

const maxWaiting = 4 * 1024 * 1024;

/**
 * A log whose reader may stall (a pipe, a paused terminal). Callers never wait, and the backlog is bounded: further
 * lines are dropped, and counted in a line once the reader continues.
 */
export class BoundedLog implements LogSink {
  readonly #write: (line: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #max: number;
  #waiting = 0;
  #lost = 0;

  /** `write` resolves once the line was accepted. */
  constructor(write: (line: string) => Promise<void>, clock: Clock, max = maxWaiting) {
    this.#write = write;
    this.#clock = clock;
    this.#max = max;
  }

  write(line: string): void {
    if (this.#waiting + line.length > this.#max) this.#lost += 1;
    else void this.#send(line);
  }

  async #send(line: string): Promise<void> {
    this.#waiting += line.length;
    // A broken pipe is not the caller's problem.
    await this.#write(line).catch(() => undefined);
    this.#waiting -= line.length;
    if (this.#lost === 0 || this.#waiting > this.#max / 2) return;
    const msg = `${this.#lost} lines of the log were lost, because the output was not read`;
    this.#lost = 0;
    await this.#send(`${JSON.stringify({ level: 40, time: this.#clock.now(), msg })}\n`);
  }
}
