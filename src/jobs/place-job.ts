import { reservedPrice } from '../../lib/call/price.js';
import type { Job } from './job.js';
import type { JobRequest } from './job-request.js';
import type { Jobs } from './open-jobs.js';

/** Who wants a job, and what. */
export interface Order {
  readonly account: string;
  /** The key that asks; none for an account that asks by itself. */
  readonly key: { readonly id: string; readonly name: string } | undefined;
  readonly request: JobRequest;
  /** Makes a repeated order the same job. */
  readonly idempotencyKey: string | undefined;
}

/** What became of an order. */
export interface Placed {
  readonly id: string;
  /** The text that was kept for repeated orders. */
  readonly answer: string;
  readonly replayed: boolean;
}

/**
 * Makes the job that is ordered, once for each idempotency key, its price reserved. Rejects `insufficient_credits`,
 * `idempotency_mismatch` and `webhook_url_not_allowed` with nothing changed.
 */
export async function placeJob(
  jobs: Jobs,
  { account, key, request, idempotencyKey }: Order,
  answer: (job: Job, balance: number) => string,
): Promise<Placed> {
  const { endpoint, inputs, webhookUrl, digest } = request;
  const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, digest };
  const known = idempotency === undefined ? null : jobs.store.replay(account, idempotency);
  if (known !== null) return { ...known, replayed: true };
  if (webhookUrl !== undefined) await jobs.checkTarget(webhookUrl);
  const credits = reservedPrice(endpoint);
  const made = await jobs.store.create(
    { account, key, endpoint: endpoint.path, credits, inputs, webhookUrl, idempotency },
    answer,
  );
  if (!made.replayed) jobs.look();
  return made;
}
