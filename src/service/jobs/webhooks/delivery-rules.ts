import { randomBytes } from 'node:crypto';
import { isoOrNull } from '../../../../lib/read/iso-time.js';
import { webhookSecretPrefix } from '../../../../lib/webhook.js';
import type { WebhookState } from '../job.js';
import type { AttemptOutcome } from './sender.js';
import type { SecretState } from './webhooks.js';

/** Seconds between attempts. After the last one the delivery has failed. */
const pauses = [2, 4, 8, 16, 32] as const;

/** Maximum milliseconds that an attempt waits, for a pause or for another process's claim. */
export const maxPauseMs = 60_000;

/** Milliseconds that a replaced secret still signs. */
export const secretOverlap = 24 * 3_600_000;
/** Maximum secrets of an account in use: the newest and the previous one, however often it rotates them. */
export const maxSecrets = 2;

/** Returns a delivery's state after an attempt, and the milliseconds until the next one; null for none. */
export function afterAttempt(
  tries: number,
  outcome: AttemptOutcome,
): { readonly state: WebhookState; readonly pauseMs: number | null } {
  if (outcome.error === null) return { state: 'delivered', pauseMs: null };
  const pause = pauses[tries];
  if (!outcome.again || pause === undefined) return { state: 'failed', pauseMs: null };
  return { state: 'pending', pauseMs: pause * 1000 };
}

/** A signing secret as stored. `shown` is 1 once the account has seen it. */
export interface SecretRow {
  readonly number: number;
  readonly secret: string;
  readonly created_at: number;
  readonly ends_at: number | null;
  readonly shown: number;
}

export const newSecret = () => `${webhookSecretPrefix}${randomBytes(32).toString('base64url')}`;

/** Returns the public state of the secrets in use, newest first. */
export function secretStateOf(rows: readonly SecretRow[]): SecretState {
  const [newest, previous] = rows.filter(({ shown }) => shown === 1);
  return {
    created_at: isoOrNull(newest?.created_at ?? null),
    previous_until: isoOrNull(previous?.ends_at ?? null),
  };
}
