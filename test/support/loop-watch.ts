/** Milliseconds of processor time that this thread has used; of the whole process where Node cannot tell. */
export function busyMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1000;
}

/**
 * Measures the longest block of this thread's event loop in milliseconds of its CPU time, so a busy machine, which
 * makes everything slower by the clock, affects it little.
 */
export class LoopWatch {
  #worst = 0;
  #last = busyMs();
  #on = true;

  constructor() {
    const turn = () => {
      const now = busyMs();
      this.#worst = Math.max(this.#worst, now - this.#last);
      this.#last = now;
      if (this.#on) setImmediate(turn);
    };
    setImmediate(turn);
  }

  /** The longest turn since the last call. */
  take(): number {
    const worst = this.#worst;
    this.#worst = 0;
    return worst;
  }

  stop(): void {
    this.#on = false;
  }
}
