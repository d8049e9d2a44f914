import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { inSpan, type Span } from '../../../../lib/runtime/span.js';
import { signWebhook } from '../../../../lib/webhook.js';
import { isBucketAddress } from '../../../files/bucket/bucket-address.js';
import type { BucketDelivery } from './bucket-delivery.js';
import { Deliverer } from './deliverer.js';
import type { AttemptOutcome, Sender } from './sender.js';
import type { WebhookStore } from './webhook-store.js';
import type { DueDelivery } from './webhooks.js';

interface AttemptOptions {
  readonly store: Pick<WebhookStore, 'secrets' | 'record'>;
  readonly sender: Sender;
  /** Writes the results themselves to an address in a bucket. */
  readonly bucket: Pick<BucketDelivery, 'send'>;
  readonly clock: Clock;
  /** Traces attempts for the operator. */
  readonly span?: Span | undefined;
}

/**
 * Makes one signed attempt of a delivery, records the outcome, and resolves with it. Rejects with the signal's reason,
 * and if it cannot be recorded.
 */
async function makeAttempt(
  { store, sender, bucket, clock, span }: AttemptOptions,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { job, account, id, url } = delivery;
  const at = clock.now();
  const attributes = { 'extract.delivery_id': id, 'extract.job_id': job.id };
  const outcome = await inSpan(span, 'extract.webhook', attributes, async () => {
    if (isBucketAddress(url)) return bucket.send(delivery, signal);
    const body = JSON.stringify(job);
    const secrets = await store.secrets.list(account);
    const headers = {
      'extract-signature': signWebhook(secrets, Math.floor(at / 1000), body),
      'extract-delivery': id,
    };
    return sender.send({ url, body, headers }, signal);
  });
  await store.record(delivery, at, outcome);
  return outcome;
}

export interface WebhookDelivererOptions extends AttemptOptions {
  readonly store: WebhookStore;
  /** Called if an attempt could not be made or recorded; the job's id is empty if it concerns all of them. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** Longer than a receiver has to respond. */
const claimMs = 20_000;

/** Makes an attempt that may outlast its claim, as bucket uploads do, and renews the claim meanwhile. */
async function makeHeld(
  options: WebhookDelivererOptions,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { store, clock, onError } = options;
  const holding = new PeriodicTask(clock, claimMs / 2, () =>
    store.extend(delivery, claimMs).catch((cause: unknown) => onError(delivery.job.id, cause)),
  );
  holding.arm();
  try {
    return await makeAttempt(options, delivery, signal);
  } finally {
    await holding.stop();
  }
}

export function webhookDeliverer(options: WebhookDelivererOptions): Deliverer<DueDelivery> {
  const { store, clock, onError } = options;
  return new Deliverer({
    ...{ store, clock, claimMs },
    attempt: (delivery, signal) =>
      (isBucketAddress(delivery.url) ? makeHeld : makeAttempt)(options, delivery, signal),
    onError: (delivery, cause) => onError(delivery?.job.id ?? '', cause),
  });
}
