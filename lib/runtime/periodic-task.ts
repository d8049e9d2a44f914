import type { Clock } from './clock.js';
import { serialTask } from './serial-task.js';

/** Milliseconds from the end of a run to the next; undefined for the usual pause, null to stop. */
type Pause = number | null | undefined;

/** Work that runs repeatedly, one run at a time. */
export class PeriodicTask {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #holds: boolean;
  readonly #run: () => Promise<void>;
  #disarm: (() => void) | undefined;
  #isStopped = false;

  /** `work` handles its own errors. Keeps the process alive unless `holds` is false. */
  constructor(clock: Clock, ms: number, work: () => Promise<Pause> | Promise<void>, holds = true) {
    this.#clock = clock;
    this.#ms = ms;
    this.#holds = holds;
    this.#run = serialTask(async () => {
      this.#rest();
      if (this.#isStopped) return;
      const pause = await work();
      if (pause !== null) this.arm(pause ?? ms);
    });
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs now. Calls during a run share one further run, which starts after it. */
  run(): Promise<void> {
    return this.#run();
  }

  /** Runs after `ms`, unless a run is already due. */
  arm(ms = this.#ms): void {
    if (this.#isStopped) return;
    this.#disarm ??= this.#clock.alarm(ms, () => void this.#run(), this.#holds);
  }

  /** Starts no further run. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#run();
  }

  #rest(): void {
    this.#disarm?.();
    this.#disarm = undefined;
  }
}
