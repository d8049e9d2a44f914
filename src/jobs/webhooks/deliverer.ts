import type { Clock } from '../../../lib/runtime/clock.js';
import { signWebhook } from '../../../lib/webhook.js';
import type { DueDelivery } from '../job.js';
import type { Sender } from './sender.js';
import type { SqliteWebhooks } from './sqlite/sqlite-webhooks.js';

export interface DelivererOptions {
  readonly store: SqliteWebhooks;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Told of what kept an attempt from being made or recorded. */
  readonly troubled: (job: string, cause: unknown) => void;
}

/** Attempts at once, in all and to one host: a receiver that hangs does not hold up the others. */
const mostAtOnce = 64;
const mostToHost = 4;
/** Milliseconds from one look for due deliveries to the next, at most. */
const lookInterval = 5000;

/** Makes the attempts of webhooks when they are due: at least once each, whatever ends the process in between. */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #toHost = new Map<string, number>();
  readonly #stopping = new AbortController();
  #disarm: () => void = () => undefined;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /** Begins every attempt that is due, and sees to it that the next look is in time. */
  look(): void {
    if (this.#stopping.signal.aborted) return;
    const { store, clock, troubled } = this.#options;
    let pause = lookInterval;
    try {
      for (const delivery of store.due()) this.#begin(delivery);
      const next = store.nextDue();
      if (next !== null) pause = Math.min(pause, Math.max(1, next - clock.now()));
    } catch (cause) {
      troubled('', cause);
    }
    this.#disarm();
    this.#disarm = clock.alarm(pause, () => this.look());
  }

  /** Gives up what is under way; it is sent again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The server stops.', 'AbortError'));
    this.#disarm();
    await Promise.all(this.#underWay.values());
    await this.#options.sender.close();
  }

  #begin(delivery: DueDelivery): void {
    const { host } = new URL(delivery.url);
    const toHost = this.#toHost.get(host) ?? 0;
    const { id } = delivery.job;
    if (this.#underWay.has(id) || this.#underWay.size >= mostAtOnce || toHost >= mostToHost) return;
    this.#toHost.set(host, toHost + 1);
    const attempt = this.#attempt(delivery)
      .then(
        () => true,
        (cause: unknown) => {
          if (!this.#stopping.signal.aborted) this.#options.troubled(id, cause);
          return false;
        },
      )
      .then((recorded) => {
        this.#underWay.delete(id);
        const left = (this.#toHost.get(host) ?? 1) - 1;
        if (left === 0) this.#toHost.delete(host);
        else this.#toHost.set(host, left);
        // What could not be recorded is due still: the next look, after a pause, takes it up.
        if (recorded) this.look();
      });
    this.#underWay.set(id, attempt);
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { store, sender, clock } = this.#options;
    const { job, account, id, url } = delivery;
    const at = clock.now();
    const body = JSON.stringify(job);
    const secrets = await store.secretsOf(account);
    const headers = {
      'extract-signature': signWebhook(secrets, Math.floor(at / 1000), body),
      'extract-delivery': id,
    };
    const sent = await sender.send({ url, body, headers }, this.#stopping.signal);
    await store.record(delivery, at, sent);
  }
}
