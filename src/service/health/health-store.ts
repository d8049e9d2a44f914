import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { CanaryResult } from './canary.js';
import type { State } from './endpoint-state.js';
import type { HealthDay } from './health-day.js';
import type { RecentCalls } from './recent-calls.js';

/** A failure of a platform, without what was asked. */
export interface SeenError {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly code: ErrorCode;
  readonly message: string;
  /** A line on the platform's behaviour; empty where no page was asked for. */
  readonly seen: string;
}

/**
 * The health of an endpoint by what all processes saw, which a server loads when it starts; when a process publishes
 * it, by what that process saw since it last did.
 */
export interface HealthNow extends RecentCalls {
  readonly endpoint: string;
  readonly state: State;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly reasons: readonly string[];
  readonly canary: CanaryResult | null;
  /** The last ones, newest first. */
  readonly errors: readonly SeenError[];
  /** When the platform last gave an answer, in milliseconds since 1970; left out where none is known. */
  readonly answeredAt?: number;
}

/** Something that fewer answers hold than usual: from when it was seen to when it ended. */
export interface FieldAlarm {
  readonly endpoint: string;
  /** The watched fields; empty where the endpoint gives no answers. */
  readonly field: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Shares from 0 to 1, and the answers that the lower one was seen in. */
  readonly usual: number;
  readonly share: number;
  readonly answers: number;
  readonly ended: number | null;
  /** True where the lower share became what is usual. */
  readonly accepted: boolean;
}

/** How the endpoints stand by what all processes saw. */
export interface CurrentHealth {
  readonly now: readonly HealthNow[];
  readonly alarms: readonly FieldAlarm[];
}

/** The history since a day. */
export interface HealthHistory extends CurrentHealth {
  readonly days: readonly HealthDay[];
}

/** The port to the history of the endpoints. Each method rejects with an error of the catalogue. */
export interface HealthStore {
  /** Resolves with the days from `from` on (`2026-11-22`), how the endpoints stand, and the alarms since then. */
  load(from: string): Promise<HealthHistory>;
  /** Resolves with how the endpoints stand, and the alarms since `from`. */
  current(from: string): Promise<CurrentHealth>;
  /**
   * Adds what this process saw since the last time, to days and to how the endpoints stand. It does all of it or nothing.
   */
  add(days: readonly HealthDay[], delta: readonly HealthNow[]): Promise<void>;
  /** Deletes days before `before`, and alarms that ended before then. */
  sweep(before: string): Promise<void>;
  /** Records an alarm; resolves with false where the field has one that has not ended. */
  raise(alarm: FieldAlarm): Promise<boolean>;
  /** Ends the alarm of a field, if it has one. */
  end(endpoint: string, field: string, at: number, accepted: boolean): Promise<void>;
  /** Takes the unfinished alarms whose mail is due now, each for this process alone and for ten minutes. */
  claimMails(now: number): Promise<readonly FieldAlarm[]>;
  /** Ends a claim: the mail was sent, or is due again in some minutes. */
  settleMails(alarms: readonly FieldAlarm[], sent: boolean, now: number): Promise<void>;
}
