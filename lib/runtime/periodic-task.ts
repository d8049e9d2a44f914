import type { Clock } from './clock.js';

/** Milliseconds from the end of a run to the next; undefined for the usual pause, null to stop. */
type Pause = number | null | undefined;

/**
 * Returns a function that runs a task, one run at a time. Calls during a run share one further run, which starts after
 * it, so that every caller gets a run that started after its call.
 */
function serialTask(task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    const run = task().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  };
  return () => {
    if (current === undefined) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}

/** Work that runs repeatedly, one run at a time. */
export class PeriodicTask {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #holds: boolean;
  /** Runs now. Calls during a run share one further run, which starts after it. */
  readonly run: () => Promise<void>;
  #disarm: (() => void) | undefined;
  #isStopped = false;

  /** `work` handles its own errors. Keeps the process alive unless `holds` is false. */
  constructor(clock: Clock, ms: number, work: () => Promise<Pause> | Promise<void>, holds = true) {
    this.#clock = clock;
    this.#ms = ms;
    this.#holds = holds;
    this.run = serialTask(async () => {
      this.#rest();
      if (this.#isStopped) return;
      const pause = await work();
      if (pause !== null) this.arm(pause ?? ms);
    });
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs after `ms`, unless a run is already due. */
  arm(ms = this.#ms): void {
    if (this.#isStopped) return;
    this.#disarm ??= this.#clock.alarm(ms, () => void this.run(), this.#holds);
  }

  /** Starts no further run. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.run();
  }

  #rest(): void {
    this.#disarm?.();
    this.#disarm = undefined;
  }
}
