import { randomBytes } from 'node:crypto';
import { webhookSecretPrefix } from '../../../../lib/webhook.js';
import type { WebhookState } from '../job.js';
import type { Sent } from './sender.js';
import type { SecretState } from './webhooks.js';

/** Seconds from a failed attempt to the next one; after the last the delivery has failed. */
const pauses = [2, 4, 8, 16, 32] as const;

/** Milliseconds by which an attempt is put off at most, by a pause or by the claim of a process. */
export const maxPauseMs = 60_000;

/** Milliseconds that a secret which was replaced signs along. */
export const secretOverlap = 24 * 3_600_000;
/** Secrets of an account that sign at once at most: the newest, and the one before it, however often it makes a new one. */
export const maxSecrets = 2;

/** How a delivery stands after an attempt, and how many milliseconds later the next one is due; null for none. */
export function afterAttempt(
  tries: number,
  sent: Sent,
): { readonly state: WebhookState; readonly pauseMs: number | null } {
  if (sent.error === null) return { state: 'delivered', pauseMs: null };
  const pause = pauses[tries];
  if (!sent.again || pause === undefined) return { state: 'failed', pauseMs: null };
  return { state: 'pending', pauseMs: pause * 1000 };
}

/** A secret that signs, as its row has it; `shown` says whether its account has seen it. */
export interface SecretRow {
  readonly number: number;
  readonly secret: string;
  readonly created_at: number;
  readonly ends_at: number | null;
  readonly shown: number;
}

/** A new secret. */
export const newSecret = () => `${webhookSecretPrefix}${randomBytes(32).toString('base64url')}`;

export const isoOrNull = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The shown state of the secrets that sign now, the newest first. */
export function secretStateOf(rows: readonly SecretRow[]): SecretState {
  const [newest, previous] = rows.filter(({ shown }) => shown === 1);
  return {
    created_at: isoOrNull(newest?.created_at ?? null),
    previous_until: isoOrNull(previous?.ends_at ?? null),
  };
}
