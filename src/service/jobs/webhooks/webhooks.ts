import type * as z from 'zod';
import type { Job } from '../job.js';
import type { deliveryObject, webhookSecretObject } from '../job-objects.js';
import type { Due } from './deliverer.js';

/** The attempts of a webhook, oldest first. */
export type Delivery = Readonly<z.output<typeof deliveryObject>>;

/** The public state of a signing secret after it was shown. */
export type SecretState = Readonly<z.output<typeof webhookSecretObject>>;

/** A webhook whose attempt is due. */
export interface DueDelivery extends Due {
  readonly job: Job;
  /** Attempts since the delivery was last started. */
  readonly tries: number;
  /** When the next one is due; milliseconds since 1970. */
  readonly due: number;
}

/** A failed webhook. */
export interface FailedDelivery {
  readonly job: string;
  readonly account: string;
  /** Host of its address; the rest may contain its owner's secrets. */
  readonly host: string;
  /** ISO 8601 UTC; when it was last tried. */
  readonly at: string | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}
