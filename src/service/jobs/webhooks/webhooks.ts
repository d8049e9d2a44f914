import type * as z from 'zod';
import type { Job } from '../job.js';
import type { deliveryObject, webhookSecretObject } from '../job-objects.js';
import type { Due, DueAttempts } from './deliverer.js';
import type { Sent } from './sender.js';

/** The attempts of a webhook, oldest first. */
export type Delivery = Readonly<z.output<typeof deliveryObject>>;

/** The shown state of a signing secret after the first time. */
export type SecretState = Readonly<z.output<typeof webhookSecretObject>>;

/** A webhook whose attempt is due. */
export interface DueDelivery extends Due {
  readonly job: Job;
  /** Attempts since the delivery was last begun. */
  readonly tries: number;
  /** When the next one is due; milliseconds since 1970. */
  readonly due: number;
}

/** A webhook that was given up. */
export interface FailedDelivery {
  readonly job: string;
  readonly account: string;
  /** Host of its address: the rest may hold secrets of its owner. */
  readonly host: string;
  /** ISO 8601 UTC; when it was tried last. */
  readonly at: string | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** The port to webhook deliveries, their attempts and the secrets that sign them. */
export interface Webhooks extends DueAttempts<DueDelivery> {
  /** Webhooks that were given up, of jobs whose results are still there: how many, and so many of the newest. */
  listFailed(limit: number): Promise<{ readonly total: number; readonly newest: readonly FailedDelivery[] }>;
  /** Takes an attempt that was claimed here for so many milliseconds from now: it is still being made. */
  extend(delivery: DueDelivery, ms: number): Promise<void>;
  /** Records an attempt that began at `at`, and decides what follows. */
  record(delivery: DueDelivery, at: number, sent: Sent): Promise<void>;
  /** Forgets the attempts of a job whose results were deleted. */
  forget(id: string): Promise<void>;
  /** The attempts of a job's webhook. Rejects `job_not_found`, and `invalid_parameter` for a job without one. */
  findDelivery(account: string, id: string): Promise<Delivery>;
  /** Begins the attempts of a finished job anew. Rejects as `findDelivery` does, and `job_not_finished`. */
  redeliver(account: string, id: string): Promise<Job>;
  /**
   * Secrets that sign an account's deliveries now, the newest first. Where there is none, one is made, which the
   * first `rotateSecret` shows. Its earlier signatures can be verified, too.
   */
  listSecrets(account: string): Promise<readonly string[]>;
  /** The newest secret that was shown, without the secret itself. */
  readSecretState(account: string): Promise<SecretState>;
  /**
   * Makes a new secret, shown here and never again; the one before it alone signs along, for a day. A secret that signs
   * already and was shown to nobody is the new one.
   */
  rotateSecret(account: string): Promise<SecretState & { readonly secret: string }>;
}
