import type { Clock } from '../../lib/runtime/clock.js';
import type { LogSink } from './log.js';

/** Characters that wait for whoever reads the log, at most. */
const maxWaiting = 4 * 1024 * 1024;

/**
 * A log whose reader may stand still (a pipe, a terminal that is paused). Nobody waits for it, and the lines that wait for
 * it are bounded. Lines beyond are lost, and counted in a line of their own once the reader goes on.
 */
export class BoundedLog implements LogSink {
  readonly #write: (line: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #max: number;
  #waiting = 0;
  #lost = 0;

  /** `write` resolves when the line was taken. */
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
    // A reader that is gone is no fault of what is logged.
    await this.#write(line).catch(() => undefined);
    this.#waiting -= line.length;
    if (this.#lost === 0 || this.#waiting > this.#max / 2) return;
    const msg = `${this.#lost} lines of the log were lost: nobody read it`;
    this.#lost = 0;
    await this.#send(`${JSON.stringify({ level: 40, time: this.#clock.now(), msg })}\n`);
  }
}
