import { type Outcome, sumBy } from './call-outcome.js';
import type { State } from './endpoint-state.js';

export interface HealthDay {
  readonly endpoint: string;
  /** UTC: `2026-11-22`. */
  readonly day: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Minutes in each state while a server ran. */
  readonly minutes: Readonly<Record<State, number>>;
  /** Answers with counted fields, and how many of them had each field. */
  readonly answers: number;
  readonly filled: Readonly<Record<string, number>>;
}

export function noMinutes(): Record<State, number> {
  return { ok: 0, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 0 };
}

/** Adds counts to a day; `before` is undefined for a day without records. */
export function addToDay(before: HealthDay | undefined, counts: HealthDay): HealthDay {
  if (before === undefined) return counts;
  return {
    ...before,
    outcomes: sumBy(before.outcomes, counts.outcomes),
    minutes: sumBy(before.minutes, counts.minutes),
    answers: before.answers + counts.answers,
    filled: sumBy(before.filled, counts.filled),
  };
}

export function addToDays(days: readonly HealthDay[], counts: readonly HealthDay[]): readonly HealthDay[] {
  const sums = new Map(days.map((one) => [one.day, one]));
  for (const one of counts) sums.set(one.day, addToDay(sums.get(one.day), one));
  return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
