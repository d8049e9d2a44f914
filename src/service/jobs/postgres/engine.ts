import type { PgBoss } from 'pg-boss';
import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import type { Queries } from '../../../../lib/database/queries.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { type SliceQueue, sliceQueues } from './engine-queues.js';
import { engineDatabase, engineSchemaName, engineSettings, loadEngine } from './engine-schema.js';
import { QueueWorkers } from './queue-workers.js';

/** Work for one node, done again if the node is killed. */
export interface NewTask {
  /** A UUID. A task whose id exists is not sent again. */
  readonly id?: string | undefined;
  readonly data: object;
  /** The owner; a node leaves room for other groups. */
  readonly group?: string | undefined;
  /** Higher first. When a node fetches several tasks, its group limit may put back any of them. */
  readonly priority?: number | undefined;
}

export interface Task {
  readonly id: string;
  readonly data: object;
  /** Aborted when this node loses the task or the engine stops. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Concurrent tasks of the queue on this node, and of one group. */
  readonly concurrency: number;
  readonly perGroup?: number;
}

export interface EngineOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
}

/** Seconds without a heartbeat after which another node gets a task, and between heartbeats. */
const [heartbeatSeconds, refreshSeconds] = [10, 3];
/** Seconds between searches for such tasks. */
const watchSeconds = 2;
/** Milliseconds between searches for tasks. This node's own tasks are found immediately. */
const pollMs = 1_000;
/** Seconds between each worker's own searches, which pg-boss requires. */
const selfPollSeconds = 60;
/** Milliseconds for running tasks when the engine stops. */
const farewellMs = 5_000;
/** Milliseconds between attempts to start. */
const startRetryMs = 2_000;

const day = 24 * 3_600;
/** A task is retried until it is done, and deleted soon after. */
const queueSettings = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  // The maximum. Longer work on a slice continues as another attempt.
  expireInSeconds: day - 60,
  retentionSeconds: 10 * 365 * day,
  deleteAfterSeconds: 600,
  heartbeatSeconds,
};

/**
 * Tasks in the database, shared by any number of nodes. They are sent in the caller's transaction and run on one node
 * at a time; a killed node's tasks move to others. A task may have been started before, so handlers read from the rows
 * what remains.
 */
export class Engine {
  /** Called with what currently blocks the engine. Replaced once error reporting is set up. */
  onError: (cause: unknown) => void = () => undefined;
  readonly #options: EngineOptions;
  readonly #stopping = new AbortController();
  readonly #workers = new Map<SliceQueue, QueueWorkers>();
  readonly #polls: PeriodicTask;
  readonly #beginnings = new Set<Promise<void>>();
  #boss: Promise<PgBoss> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#polls = new PeriodicTask(options.clock, pollMs, async () => {
      for (const workers of this.#workers.values()) workers.wake();
    });
  }

  /** Resolves once tasks can be sent. Await it before the transaction that sends them. */
  async ready(): Promise<void> {
    await this.#started();
  }

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

  /** Works on a queue as soon as the database is reachable. A handler that rejects gets its task again. */
  work(queue: SliceQueue, options: WorkOptions, handle: (task: Task) => Promise<void>): void {
    const beginning = this.#begin(queue, options, handle).finally(() => this.#beginnings.delete(beginning));
    this.#beginnings.add(beginning);
  }

  /** Searches a queue now, because this node has sent tasks. */
  wake(queue: SliceQueue): void {
    this.#workers.get(queue)?.wake();
  }

  /** Takes no further tasks, and aborts and releases those in progress. Tasks can still be sent. */
  async stopWork(): Promise<void> {
    this.#stopping.abort(new DOMException('The engine stops.', 'AbortError'));
    await Promise.all(this.#beginnings);
    await this.#polls.stop();
    const boss = await this.#boss?.catch(() => undefined);
    if (boss === undefined) return;
    await Promise.all([...this.#workers.keys()].map((queue) => boss.offWork(queue, { wait: true })));
    this.#workers.clear();
  }

  /** Stops everything. Call it before the database is closed. */
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
    this.#polls.arm();
  }
}
