import { type Outcome, sumBy } from './call-outcome.js';
import type { State } from './endpoint-state.js';

/** The outcomes of an endpoint on one day. */
export interface HealthDay {
  readonly endpoint: string;
  /** UTC: `2026-11-22`. */
  readonly day: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Minutes in each state, while a server ran. */
  readonly minutes: Readonly<Record<State, number>>;
  /** Number of answers with counted fields, and how many of them held each field. */
  readonly answers: number;
  readonly filled: Readonly<Record<string, number>>;
}

export function noMinutes(): Record<State, number> {
  return { ok: 0, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 0 };
}

/** A day plus new counts. `before` is undefined for a day without records. */
export function addToDay(before: HealthDay | undefined, counted: HealthDay): HealthDay {
  if (before === undefined) return counted;
  return {
    ...before,
    outcomes: sumBy(before.outcomes, counted.outcomes),
    minutes: sumBy(before.minutes, counted.minutes),
    answers: before.answers + counted.answers,
    filled: sumBy(before.filled, counted.filled),
  };
}

/** The days of one endpoint plus new counts, oldest first. */
export function addToDays(days: readonly HealthDay[], counted: readonly HealthDay[]): readonly HealthDay[] {
  const sums = new Map(days.map((one) => [one.day, one]));
  for (const one of counted) sums.set(one.day, addToDay(sums.get(one.day), one));
  return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
