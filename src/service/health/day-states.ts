import { dayMs } from '../../../lib/runtime/clock.js';
import { dayOf } from './baseline-shares.js';
import { type State, states } from './endpoint-state.js';
import type { HealthDay } from './health-day.js';

export interface DayState {
  /** UTC: `2026-11-22`. */
  readonly day: string;
  /** The most serious state of at least a twentieth of the day's recorded time; `unknown` if nothing was recorded. */
  readonly state: State;
  /** Share of the recorded time in state `ok`. Null if nothing was recorded. */
  readonly ok: number | null;
}

export const historyDays = 90;

const serious = ['changed', 'refused', 'unreachable', 'degraded'] as const;
/** Minimum part of a day's recorded time for a state to count. */
const minPart = 0.05;

function dayState(day: string, counts: HealthDay | undefined): DayState {
  const minutes = counts?.minutes;
  const knownMinutes = states.reduce(
    (sum, state) => sum + (state === 'unknown' ? 0 : (minutes?.[state] ?? 0)),
    0,
  );
  if (minutes === undefined || knownMinutes === 0) return { day, state: 'unknown', ok: null };
  const state = serious.find((one) => minutes[one] >= knownMinutes * minPart) ?? 'ok';
  return { day, state, ok: minutes.ok / knownMinutes };
}

/** Returns the last 90 days of an endpoint, oldest first, including days without records. */
export function dayStates(days: readonly HealthDay[], now: number): DayState[] {
  const byDay = new Map(days.map((one) => [one.day, one]));
  return Array.from({ length: historyDays }, (_, index) => {
    const day = dayOf(now - (historyDays - 1 - index) * dayMs);
    return dayState(day, byDay.get(day));
  });
}
