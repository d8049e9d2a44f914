import type { PgBoss } from 'pg-boss';

/**
 * Chooses which of a queue's workers on this node searches for tasks: one at intervals, and whoever finds a task
 * searches again. An idle node then queries the database once, however many workers it has.
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

  /** There may be tasks: one worker searches, unless all are busy. */
  wake(): void {
    this.#most = this.#atWork;
    const idle = this.#workers().find(({ count }) => count === 0);
    if (idle !== undefined) this.#boss.notifyWorker(idle.id);
  }

  /** Runs a task that one of the workers took. */
  async run(work: () => Promise<void>): Promise<void> {
    this.#atWork += 1;
    // A busy worker searches for the next task as soon as it is done.
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
