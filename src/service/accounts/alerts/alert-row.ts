import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { maxSkewMs } from '../../../../lib/runtime/clock.js';

/** An alert as stored. Times are milliseconds since 1970. */
export interface AlertRow {
  readonly account: string;
  readonly threshold: number;
  readonly sent_at: number | null;
  readonly due_at: number;
  readonly tries: number;
}

export interface DueAlert {
  readonly account: string;
  readonly email: string;
  readonly threshold: number;
  readonly balance: number;
  readonly tries: number;
}

const maxCredits = 1_000_000_000;
/** Milliseconds after which a claim expires, in case its process was killed. */
export const leaseMs = 10 * 60_000;
/** Alerts per claim. Their mails take up to half a minute each, one after the other: half of the lease. */
export const maxClaimed = 10;
const maxPauseMs = 3_600_000;

/** Returns the milliseconds until the next attempt, growing with each. */
export const pauseAfter = (tries: number) => Math.min(maxPauseMs, 60_000 * 2 ** Math.min(tries, 10));

/** Throws `invalid_parameter` unless the threshold is a number of credits. */
export function checkThreshold(credits: number | null): void {
  if (credits === null || (Number.isSafeInteger(credits) && credits >= 1 && credits <= maxCredits)) return;
  throw new ExtractError(
    'invalid_parameter',
    `The threshold must be a whole number from 1 to ${maxCredits} credits.`,
  );
}

/**
 * Returns true if the balance must be checked: the alert is not waiting for its next attempt, or the clock was set back
 * after the attempt was scheduled.
 */
export const needsCheck = ({ sent_at, due_at }: AlertRow, now: number) =>
  sent_at !== null || due_at <= now || due_at > now + maxPauseMs + maxSkewMs;

/** Returns the alerts that are due, and the accounts whose balance has risen above the threshold again. */
export function changedAlerts(
  rows: readonly AlertRow[],
  balanceOf: (account: string) => number,
  emailOf: (account: string) => string | undefined,
): { readonly due: readonly DueAlert[]; readonly risen: readonly string[] } {
  const due: DueAlert[] = [];
  const risen: string[] = [];
  for (const { account, threshold, sent_at, tries } of rows) {
    const balance = balanceOf(account);
    if (sent_at !== null && balance >= threshold) risen.push(account);
    const email = emailOf(account);
    if (sent_at !== null || balance >= threshold || email === undefined) continue;
    due.push({ account, email, threshold, balance, tries });
  }
  return { due, risen };
}
