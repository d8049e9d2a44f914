import { dayMs } from '../../../lib/runtime/clock.js';
/** Days, written `2026-11-21`, in UTC. */

/** Returns the start of a day in milliseconds; undefined for an invalid day, or one before 1970. */
export function startOfDay(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || time < 0 || dayOf(time) !== day ? undefined : time;
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function dayAfter(day: string, days = 1): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

/** Returns the days from the first to the last, inclusive. */
export function daysBetween(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
}
