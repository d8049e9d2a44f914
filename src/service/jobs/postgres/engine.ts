import type { PgBoss } from 'pg-boss';
import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import type { Queries } from '../../../../lib/database/queries.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { type SliceQueue, sliceQueues } from './engine-queues.js';
import { engineDatabase, engineSchemaName, engineSettings, loadEngine } from './engine-schema.js';
import { QueueWorkers } from './queue-workers.js';

/** Work to be done by some node, once or, where one is killed, again. */
export interface NewTask {
  /** A UUID: a task whose id is there already is not sent again. */
  readonly id?: string | undefined;
  readonly data: object;
  /** The owner of the task: a node leaves room for the tasks of others. */
  readonly group?: string | undefined;
  /**
   * Tasks of a higher priority are taken first. When a node takes several at once, its group's limit may put back any
   * of them.
   */
  readonly priority?: number | undefined;
}

/** A task at work. */
export interface Task {
  readonly id: string;
  readonly data: object;
  /** Aborted when the task was taken away, or the engine stops. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Tasks of the queue at once on this node, and those of one group. */
  readonly concurrency: number;
  readonly perGroup?: number;
}

export interface EngineOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** Gets what keeps the engine from its work now. */
  readonly onError?: (cause: unknown) => void;
}

/** Seconds without a sign of life after which another node gets a task, and from sign to sign. */
const [heartbeatSeconds, refreshSeconds] = [10, 3];
/** Seconds between looks for such tasks. */
const watchSeconds = 2;
/** Milliseconds from one look for tasks to the next; what is made on this node is looked for at once. */
const pollMs = 1_000;
/** Seconds after which each worker looks by itself, as its library has it. */
const selfPollSeconds = 60;
/** Milliseconds that tasks are given to stop when the engine stops. */
const farewellMs = 5_000;
/** Milliseconds between tries to begin. */
const startRetryMs = 2_000;

const day = 24 * 3_600;
/** The settings of every queue: a task is tried until it is done, and is forgotten soon after. */
const queueSettings = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  // The longest there is: who works longer on a slice goes on with it as another try.
  expireInSeconds: day - 60,
  retentionSeconds: 10 * 365 * day,
  deleteAfterSeconds: 600,
  heartbeatSeconds,
};

/**
 * Tasks in the database, for any number of nodes. They are sent in the caller's transaction, and taken by one node at
 * a time. A killed node's tasks go to others. A handler must expect that a task was begun before: the rows say what
 * is left of it.
 */
export class Engine {
  /** As of the options, by whoever comes to know later where it is to go. */
  onError: (cause: unknown) => void;
  readonly #options: EngineOptions;
  readonly #stopping = new AbortController();
  readonly #workers = new Map<SliceQueue, QueueWorkers>();
  readonly #beginnings = new Set<Promise<void>>();
  #boss: Promise<PgBoss> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.onError = options.onError ?? (() => undefined);
  }

  /** Resolves when tasks can be sent; to be awaited before the transaction that sends some. */
  async ready(): Promise<void> {
    await this.#started();
  }

  /** Sends tasks in the caller's transaction. */
  async send(queries: Queries, queue: SliceQueue, tasks: readonly NewTask[]): Promise<void> {
    const boss = await this.#started();
    const db = engineDatabase((work) => work(queries));
    const rows = tasks.map(({ id, data, group, priority }) => ({
      data,
      ...(id === undefined ? {} : { id }),
      ...(group === undefined ? {} : { group: { id: group } }),
      ...(priority === undefined ? {} : { priority }),
    }));
    await boss.insert(queue, rows, { db });
  }

  /** Works on the tasks of a queue, as soon as the database can be reached. A handler that rejects gets its task again. */
  work(queue: SliceQueue, options: WorkOptions, handle: (task: Task) => Promise<void>): void {
    const beginning = this.#begin(queue, options, handle).finally(() => this.#beginnings.delete(beginning));
    this.#beginnings.add(beginning);
  }

  /** Looks for tasks of a queue at once: this node has sent some. */
  wake(queue: SliceQueue): void {
    this.#workers.get(queue)?.wake();
  }

  /** Takes no further tasks, gives up those at work, and lets others have them. Tasks can still be sent. */
  async stopWork(): Promise<void> {
    this.#stopping.abort(new DOMException('The engine stops.', 'AbortError'));
    await Promise.all(this.#beginnings);
    const boss = await this.#boss?.catch(() => undefined);
    if (boss === undefined) return;
    await Promise.all([...this.#workers.keys()].map((queue) => boss.offWork(queue, { wait: true })));
    this.#workers.clear();
  }

  /** Ends all of it, before the database is closed. */
  async stop(): Promise<void> {
    await this.stopWork();
    const boss = await this.#boss?.catch(() => undefined);
    await boss?.stop({ graceful: true, timeout: farewellMs });
  }

  #started(): Promise<PgBoss> {
    if (this.#boss === undefined) {
      const starting = this.#start();
      this.#boss = starting;
      starting.catch(() => {
        if (this.#boss === starting) this.#boss = undefined;
      });
    }
    return this.#boss;
  }

  async #start(): Promise<PgBoss> {
    const { postgres } = this.#options;
    const { PgBoss } = await loadEngine();
    const schema = await postgres.read(engineSchemaName);
    const boss = new PgBoss({
      ...engineSettings,
      db: engineDatabase((work) => postgres.write(work)),
      schema,
      superviseIntervalSeconds: watchSeconds,
      monitorIntervalSeconds: watchSeconds,
    });
    boss.on('error', (cause) => {
      if (!this.#stopping.signal.aborted) this.onError(cause);
    });
    try {
      await boss.start();
      for (const queue of sliceQueues) await boss.createQueue(queue, queueSettings);
      return boss;
    } catch (cause) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw cause;
    }
  }

  async #begin(
    queue: SliceQueue,
    options: WorkOptions,
    handle: (task: Task) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const boss = await this.#started();
        if (!signal.aborted) await this.#addWorkers(boss, queue, options, handle);
        return;
      } catch (cause) {
        this.onError(cause);
        await this.#options.clock.sleep(startRetryMs, signal).catch(() => undefined);
      }
    }
  }

  async #addWorkers(
    boss: PgBoss,
    queue: SliceQueue,
    { concurrency, perGroup = concurrency }: WorkOptions,
    handle: (task: Task) => Promise<void>,
  ): Promise<void> {
    const workers = new QueueWorkers(boss, queue);
    const settings = {
      localConcurrency: concurrency,
      localGroupConcurrency: perGroup,
      pollingIntervalSeconds: selfPollSeconds,
      heartbeatRefreshSeconds: refreshSeconds,
    };
    await boss.work<object>(queue, settings, async ([job]) => {
      if (job === undefined) return;
      const signal = AbortSignal.any([job.signal, this.#stopping.signal]);
      signal.throwIfAborted();
      await workers.run(() => handle({ id: job.id, data: job.data, signal }));
    });
    this.#workers.set(queue, workers);
    void this.#poll(workers);
  }

  async #poll(workers: QueueWorkers): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#options.clock.sleep(pollMs, signal).catch(() => undefined);
      workers.wake();
    }
  }
}
