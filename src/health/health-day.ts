import type { Outcome } from './call-outcome.js';
import type { State } from './endpoint-state.js';

/** What an endpoint met on one day. */
export interface HealthDay {
  readonly endpoint: string;
  /** UTC: `2026-11-22`. */
  readonly day: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Minutes in each state, while a server ran. */
  readonly minutes: Readonly<Record<State, number>>;
  /** Answers whose fields were counted, and how many of them held each field. */
  readonly answers: number;
  readonly filled: Readonly<Record<string, number>>;
}

function sumBy<Name extends string>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const sum: Record<Name, number> = { ...one };
  for (const [name, value] of Object.entries(other) as [Name, number][]) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

/** What is known of a day, with what was counted since; undefined where nothing was known. */
export function addToDay(known: HealthDay | undefined, counted: HealthDay): HealthDay {
  if (known === undefined) return counted;
  return {
    ...known,
    outcomes: sumBy(known.outcomes, counted.outcomes),
    minutes: sumBy(known.minutes, counted.minutes),
    answers: known.answers + counted.answers,
    filled: sumBy(known.filled, counted.filled),
  };
}
