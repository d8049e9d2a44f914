interface Timer {
  readonly at: number;
  readonly number: number;
  readonly ring: () => void;
}

/** Simulated time, which the history advances from one timer to the next. */
export class Timeline {
  /** Milliseconds since the machine was switched on. */
  now = 0;
  readonly #timers = new Set<Timer>();
  #made = 0;

  /** Calls back after `ms`, unless the function it returns is called first. */
  after(ms: number, ring: () => void): () => void {
    this.#made += 1;
    const timer = { at: this.now + Math.max(0, ms), number: this.#made, ring };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until the next timer; null for none. */
  untilNext(): number | null {
    const next = this.#next();
    return next === null ? null : Math.max(0, next.at - this.now);
  }

  /** Advances to the next timer and fires it, if it is due by `end`. */
  ringNext(end: number): boolean {
    const next = this.#next();
    if (next === null || next.at > end) return false;
    this.#timers.delete(next);
    this.now = Math.max(this.now, next.at);
    next.ring();
    return true;
  }

  clear(): void {
    this.#timers.clear();
    this.now = 0;
  }

  #next(): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (next === null || timer.at < next.at || (timer.at === next.at && timer.number < next.number))
        next = timer;
    }
    return next;
  }
}
