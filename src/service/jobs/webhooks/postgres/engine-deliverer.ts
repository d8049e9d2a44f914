import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../../lib/runtime/periodic-task.js';
import type { Engine, NewTask, Task } from '../../postgres/engine.js';
import { type AttemptOptions, makeAttempt } from '../attempt.js';
import { DeliveryTurns, maxPerHost } from '../turns.js';
import type { NextAttempt, QueueAttempts, WebhookStore } from '../webhook-store.js';

/** Attempts at once on a node, in all and of one account. Receivers that hang do not hold up those of others. */
const concurrency = 16;
const perAccount = maxPerHost;
/** Milliseconds between looks for attempts whose time has come; the first is made by the node that ends the job. */
const pollMs = 2000;
/** Milliseconds after which an attempt to a host that does not answer comes again, while another one waits for it. */
const silentHostMs = 60_000;
/** Milliseconds between looks for attempts whose task is missing, and how long they must have been due. */
const reviewMs = 60_000;
const overdueMs = 60_000;

const taskData = z.object({ job: z.string(), tries: z.int() });

/** The same for the same attempt, in the form of a UUID: its task is there once. */
function taskId({ job, tries, due }: NextAttempt): string {
  const digits = createHash('sha256').update(`${job} ${tries} ${due}`).digest('hex');
  const [a, b, c, d, e] = [8, 12, 16, 20, 32].map((end, at, ends) => digits.slice(ends[at - 1] ?? 0, end));
  return `${a}-${b}-${c}-${d}-${e}`;
}

function toTask(attempt: NextAttempt): NewTask {
  const { job, account, tries, due } = attempt;
  return { id: taskId(attempt), data: { job, tries }, group: account, startAfter: new Date(due) };
}

/** Attempts as tasks of the engine, sent in the transaction that decides on them. */
export function attemptTasks(engine: Pick<Engine, 'send'>): QueueAttempts {
  return (queries, attempts) => engine.send(queries, 'webhooks', attempts.map(toTask));
}

export interface EngineDelivererOptions extends AttemptOptions {
  readonly engine: Pick<Engine, 'work' | 'wake'>;
  readonly store: WebhookStore;
  readonly clock: Clock;
  /** Gets what kept attempts from being made or recorded. */
  readonly onError: (job: string, cause: unknown) => void;
}

/**
 * Makes the attempts of webhooks that the engine gives this node. Each is made at least once, also where a node is
 * killed. The engine must be stopped before this.
 */
export class EngineDeliverer {
  readonly #options: EngineDelivererOptions;
  readonly #reviews: PeriodicTask;
  readonly #turns = new DeliveryTurns();

  constructor(options: EngineDelivererOptions) {
    this.#options = options;
    const { store, clock, onError } = options;
    this.#reviews = new PeriodicTask(clock, reviewMs, () =>
      store.queueOverdue(overdueMs).catch((cause: unknown) => onError('', cause)),
    );
  }

  start(): void {
    const { engine } = this.#options;
    engine.work('webhooks', { concurrency, perGroup: perAccount, pollMs }, (task) => this.#attempt(task));
    void this.#reviews.run();
  }

  /** Looks for attempts at once: this node has decided on one. */
  wake(): void {
    this.#options.engine.wake('webhooks');
  }

  async stop(): Promise<void> {
    await this.#reviews.stop();
    await this.#options.sender.close();
  }

  async #attempt({ data, signal }: Task): Promise<void> {
    const { store, onError } = this.#options;
    const { job, tries } = taskData.parse(data);
    try {
      const delivery = await store.dueNow(job, tries);
      // Made by another node, begun anew, or deleted with its account.
      if (delivery === null) return;
      const [begun] = this.#turns.begin([delivery]);
      if (begun === undefined) return await store.postpone(delivery, silentHostMs);
      const sent = await makeAttempt(this.#options, delivery, signal).catch((cause: unknown) => {
        begun.end(true);
        throw cause;
      });
      begun.end(sent.status !== null);
    } catch (cause) {
      if (!signal.aborted) onError(job, cause);
      throw cause;
    }
  }
}
