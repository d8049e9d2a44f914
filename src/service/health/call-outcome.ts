import type { ErrorCode, ExtractError } from '../../../lib/errors/extract-error.js';

/** The platform's reaction to a call: the outcomes of a page, and no answer at all. */
export const outcomes = ['answered', 'not_found', 'refused', 'changed', 'unreachable'] as const;
export type Outcome = (typeof outcomes)[number];

/** Counts of calls by their outcome. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

const platformOutcomes: Readonly<Partial<Record<ErrorCode, Outcome>>> = {
  platform_blocked: 'refused',
  platform_login_required: 'refused',
  platform_restricted: 'refused',
  platform_rate_limited: 'refused',
  platform_changed: 'changed',
  platform_unavailable: 'unreachable',
  platform_timeout: 'unreachable',
};

/** The outcome that a failure's code tells; undefined where it says nothing about the platform. */
export const platformOutcome = (code: ErrorCode): Outcome | undefined => platformOutcomes[code];

/** The outcome of a call that failed; null where the failure says nothing about the platform. */
export function outcomeOf({ code, type }: Pick<ExtractError, 'code' | 'type'>): Outcome | null {
  return type === 'not_found' ? 'not_found' : (platformOutcome(code) ?? null);
}

export function noOutcomes(): Record<Outcome, number> {
  return { answered: 0, not_found: 0, refused: 0, changed: 0, unreachable: 0 };
}

/** The shares of calls that ended in each way; null where there were none. */
export function outcomeShares(counts: OutcomeCounts): OutcomeCounts | null {
  const all = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (all === 0) return null;
  const shares = noOutcomes();
  for (const outcome of outcomes) shares[outcome] = counts[outcome] / all;
  return shares;
}
