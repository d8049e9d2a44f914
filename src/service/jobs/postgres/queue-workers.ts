import type { PgBoss } from 'pg-boss';

/**
 * Chooses which of a queue's workers on this node searches for tasks: one at intervals, and any that just found a task.
 * So an idle node queries the database once per interval, however many workers it has.
 */
export class QueueWorkers {
  readonly #boss: Pick<PgBoss, 'getWipData' | 'notifyWorker'>;
  readonly #queue: string;
  #atWork = 0;
  /** Peak concurrency since the last wake-up. */
  #most = 0;

  constructor(boss: Pick<PgBoss, 'getWipData' | 'notifyWorker'>, queue: string) {
    this.#boss = boss;
    this.#queue = queue;
  }

  /** Wakes one worker, unless all are busy. */
  wake(): void {
    this.#most = this.#atWork;
    const idle = this.#workers().find(({ count }) => count === 0);
    if (idle !== undefined) this.#boss.notifyWorker(idle.id);
  }

  async run(work: () => Promise<void>): Promise<void> {
    this.#atWork += 1;
    // Busy workers search again as soon as they are done.
    for (const { id, count } of this.#workers()) if (count > 0) this.#boss.notifyWorker(id);
    if (this.#atWork > this.#most) this.wake();
    try {
      await work();
    } finally {
      this.#atWork -= 1;
    }
  }

  #workers() {
    return this.#boss.getWipData().filter(({ name }) => name === this.#queue);
  }
}
