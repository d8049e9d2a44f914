import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { CanaryResult } from './canary.js';
import type { State } from './endpoint-state.js';
import type { HealthDay } from './health-day.js';
import type { RecentCalls } from './recent-calls.js';

export interface SeenError {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly code: ErrorCode;
  readonly message: string;
  /** What the platform returned; empty if no page was requested. */
  readonly seen: string;
}

/**
 * The current health of an endpoint. On start a server loads what all processes observed; each publishes what it
 * observed since its last publication.
 */
export interface HealthNow extends RecentCalls {
  readonly endpoint: string;
  readonly state: State;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly reasons: readonly string[];
  readonly canary: CanaryResult | null;
  readonly errors: readonly SeenError[];
  /** When the platform last answered, milliseconds since 1970; undefined if unknown. */
  readonly answeredAt?: number;
}

/** A field or endpoint that fell below its usual share, from detection to recovery. */
export interface FieldAlert {
  readonly endpoint: string;
  /** Empty for an outage of the whole endpoint. */
  readonly field: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Shares from 0 to 1, and the number of answers behind the lower one. */
  readonly usual: number;
  readonly share: number;
  readonly answers: number;
  readonly ended: number | null;
  /** True if the lower share became the baseline. */
  readonly accepted: boolean;
}

export interface CurrentHealth {
  readonly now: readonly HealthNow[];
  readonly alerts: readonly FieldAlert[];
}

export interface HealthLog extends CurrentHealth {
  readonly days: readonly HealthDay[];
}
