import { dayMs } from '../../../lib/runtime/clock.js';
import { type BaselineShare, type FieldCount, minBaselineAnswers, scatterOf, shareOf } from './fall-test.js';
import type { HealthDay } from './health-day.js';
import type { FieldAlarm } from './health-store.js';
import { isPartOf } from './watched-fields.js';

/** Number of days that make up the baseline. */
export const baselineDays = 42;

/** The UTC day of a time: `2026-11-22`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** True for a day on which an alarm was active for the field, so that it does not count as usual. */
function isFallen(day: string, { since, ended, accepted }: FieldAlarm): boolean {
  if (accepted) return day < dayOf(since);
  return day >= dayOf(since) && (ended === null || day <= dayOf(ended));
}

/**
 * The share of answers that usually hold a field, over the six weeks before the day `before`, without days under an
 * alarm. Null if there are too few answers to tell.
 */
export function baselineShare(
  field: string,
  days: readonly HealthDay[],
  alarms: readonly FieldAlarm[],
  before: string,
): BaselineShare | null {
  const from = dayOf(Date.parse(before) - baselineDays * dayMs);
  const counts: FieldCount[] = [];
  for (const { day, answers, filled } of days) {
    if (day < from || day >= before || answers === 0) continue;
    if (alarms.some((alarm) => isPartOf(field, alarm.field) && isFallen(day, alarm))) continue;
    counts.push({ answers, filled: filled[field] ?? 0 });
  }
  const answers = counts.reduce((sum, count) => sum + count.answers, 0);
  if (answers < minBaselineAnswers) return null;
  return {
    answers,
    filled: counts.reduce((sum, count) => sum + count.filled, 0),
    scatter: scatterOf(counts),
  };
}

/** The same as a share from 0 to 1. */
export function baselineShareOf(usual: BaselineShare | null): number | null {
  return usual === null ? null : shareOf(usual);
}
