import { reservedPrice } from '../../../lib/call/price.js';
import type { ChargedKey } from '../../../lib/ledger/key-limit.js';
import { bytesOfInputs } from './account-storage.js';
import type { Job } from './job.js';
import type { JobRequest } from './job-request.js';
import type { Jobs } from './open-jobs.js';

export interface JobSubmission {
  readonly account: string;
  /** The key of the request; undefined for the dashboard without one. */
  readonly key: ChargedKey | undefined;
  readonly request: JobRequest;
  /** Makes a repeated request return the same job. */
  readonly idempotencyKey: string | undefined;
}

export interface SubmittedJob {
  readonly id: string;
  /** The text that repeated requests receive again. */
  readonly answer: string;
  readonly replayed: boolean;
}

/**
 * Creates a job, once per idempotency key, and reserves its price. Rejects `insufficient_credits`, `storage_full`,
 * `idempotency_mismatch` and `webhook_url_not_allowed` with nothing changed.
 */
export async function submitJob(
  jobs: Jobs,
  { account, key, request, idempotencyKey }: JobSubmission,
  answer: (job: Job, balance: number) => string,
): Promise<SubmittedJob> {
  const { endpoint, name, inputs, webhookUrl, schedule: timetable, timezone, notify, lineOptions } = request;
  const idempotency =
    idempotencyKey === undefined ? undefined : { key: idempotencyKey, digest: request.digest };
  const replayed = idempotency === undefined ? null : await jobs.store.replay(account, idempotency);
  if (replayed !== null) return { ...replayed, replayed: true };
  if (webhookUrl !== undefined) await jobs.checkTarget(webhookUrl);
  await jobs.checkNotified(account, notify);
  await jobs.storage.checkRoom(account, bytesOfInputs(inputs), jobs.accountBytes);
  const credits = reservedPrice(endpoint);
  const schedule = timetable === undefined ? undefined : { every: timetable.text, timezone, notify };
  const result = await jobs.store.create(
    {
      ...{ account, key, name, endpoint: endpoint.path, credits, inputs },
      ...{ webhookUrl, lineOptions, idempotency, schedule, accountBytes: jobs.accountBytes },
    },
    answer,
  );
  if (!result.replayed) jobs.wakeRunner();
  return result;
}
