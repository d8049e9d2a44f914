import type { Clock } from '../../../../lib/runtime/clock.js';
import { inSpan, type Span } from '../../../../lib/runtime/span.js';
import { signWebhook } from '../../../../lib/webhook.js';
import { Deliverer } from './deliverer.js';
import type { Sender, Sent } from './sender.js';
import type { DueDelivery, Webhooks } from './webhooks.js';

export interface AttemptOptions {
  readonly store: Pick<Webhooks, 'listSecrets' | 'record'>;
  readonly sender: Sender;
  readonly clock: Clock;
  /** The operator's tracing of attempts. */
  readonly span?: Span | undefined;
}

/** Makes one attempt of a delivery, signed, records what came of it, and resolves with it. Rejects with the signal's reason, and where it cannot be recorded. */
export async function makeAttempt(
  { store, sender, clock, span }: AttemptOptions,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Sent> {
  const { job, account, id, url } = delivery;
  const at = clock.now();
  const body = JSON.stringify(job);
  const secrets = await store.listSecrets(account);
  const headers = {
    'extract-signature': signWebhook(secrets, Math.floor(at / 1000), body),
    'extract-delivery': id,
  };
  const attributes = { 'extract.delivery_id': id, 'extract.job_id': job.id };
  const sent = await inSpan(span, 'extract.webhook', attributes, () =>
    sender.send({ url, body, headers }, signal),
  );
  await store.record(delivery, at, sent);
  return sent;
}

export interface WebhookDelivererOptions extends AttemptOptions {
  readonly store: Webhooks;
  /** Gets what kept an attempt from being made or recorded; the id of the job is empty where it is all of them. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** More than a receiver is given for its answer. */
const claimMs = 20_000;

/** Makes the attempts of webhooks. */
export function webhookDeliverer(options: WebhookDelivererOptions): Deliverer<DueDelivery> {
  const { store, clock, onError } = options;
  return new Deliverer({
    ...{ store, clock, claimMs },
    attempt: (delivery, signal) => makeAttempt(options, delivery, signal),
    onError: (delivery, cause) => onError(delivery?.job.id ?? '', cause),
  });
}
