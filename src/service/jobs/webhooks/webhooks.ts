import type * as z from 'zod';
import type { Job } from '../job.js';
import type { deliveryObject, webhookSecretObject } from '../job-objects.js';
import type { Due } from './deliverer.js';

/** The attempts of a webhook, oldest first. */
export type Delivery = Readonly<z.output<typeof deliveryObject>>;

/** The public state of a signing secret. */
export type SecretState = Readonly<z.output<typeof webhookSecretObject>>;

export interface DueDelivery extends Due {
  readonly job: Job;
  /** Attempts since the delivery was last started. */
  readonly tries: number;
  readonly due: number;
}

/** A failed webhook. */
export interface FailedDelivery {
  readonly job: string;
  readonly account: string;
  /** The host of its address. The rest may contain its owner's secrets. */
  readonly host: string;
  /** When it was last tried, ISO 8601 UTC. */
  readonly at: string | null;
  readonly error: string | null;
}
