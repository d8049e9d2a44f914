import type { ErrorCode, ExtractError } from '../../../lib/errors/extract-error.js';

/** How the platform reacted to a call. */
export const outcomes = ['answered', 'not_found', 'refused', 'changed', 'unreachable'] as const;
export type Outcome = (typeof outcomes)[number];

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

/** The outcome of an error code; undefined if it says nothing about the platform. */
export const platformOutcome = (code: ErrorCode): Outcome | undefined => platformOutcomes[code];

/** The outcome of a failed call; null if it says nothing about the platform. */
export function outcomeOf({ code, type }: Pick<ExtractError, 'code' | 'type'>): Outcome | null {
  return type === 'not_found' ? 'not_found' : (platformOutcome(code) ?? null);
}

export function noOutcomes(): Record<Outcome, number> {
  return { answered: 0, not_found: 0, refused: 0, changed: 0, unreachable: 0 };
}

/** The share of calls per outcome; null without calls. */
export function outcomeShares(counts: OutcomeCounts): OutcomeCounts | null {
  const all = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (all === 0) return null;
  const shares = noOutcomes();
  for (const outcome of outcomes) shares[outcome] = counts[outcome] / all;
  return shares;
}

export function sumBy<Counts extends Readonly<Partial<Record<string, number>>>>(
  one: Counts,
  other: Counts,
): Counts {
  const sum: Partial<Record<string, number>> = { ...one };
  for (const [name, value = 0] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value;
  return sum as Counts;
}
