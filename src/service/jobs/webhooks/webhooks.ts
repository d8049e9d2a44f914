import type * as z from 'zod';
import type { Job } from '../job.js';
import type { deliveryObject, webhookSecretObject } from '../job-objects.js';
import type { Due } from './deliverer.js';

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
