import type { PgBoss } from 'pg-boss';

/**
 * Chooses which of a queue's workers on this node looks for tasks. One does so now and then; whoever finds one has
 * the next look as well. A node without work then asks the database once, however many workers it has.
 */
export class QueueWorkers {
  readonly #boss: Pick<PgBoss, 'getWipData' | 'notifyWorker'>;
  readonly #queue: string;
  #atWork = 0;
  /** Most tasks at work at once since somebody was last asked to look: nobody else found one then. */
  #most = 0;

  constructor(boss: Pick<PgBoss, 'getWipData' | 'notifyWorker'>, queue: string) {
    this.#boss = boss;
    this.#queue = queue;
  }

  /** There may be tasks: one worker looks, unless all are at work. */
  wake(): void {
    this.#most = this.#atWork;
    const idle = this.#workers().find(({ count }) => count === 0);
    if (idle !== undefined) this.#boss.notifyWorker(idle.id);
  }

  /** Works on a task that one of the workers took. */
  async run(work: () => Promise<void>): Promise<void> {
    this.#atWork += 1;
    // A worker at work looks for the next task as soon as it is done.
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
