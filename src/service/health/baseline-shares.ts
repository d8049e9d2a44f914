import { dayMs } from '../../../lib/runtime/clock.js';
import { type BaselineShare, type FieldCount, minBaselineAnswers, scatterOf, shareOf } from './fall-test.js';
import type { HealthDay } from './health-day.js';
import type { FieldAlert } from './health-store.js';
import { isPartOf } from './watched-fields.js';

/** Number of days that make up the baseline. */
export const baselineDays = 42;

/** `2026-11-22`, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** True for a day with an active alert for the field, which is not part of its baseline. */
function isFallen(day: string, { since, ended, accepted }: FieldAlert): boolean {
  if (accepted) return day < dayOf(since);
  return day >= dayOf(since) && (ended === null || day <= dayOf(ended));
}

/**
 * Returns the share of answers that usually have a field, over the six weeks before `before` without days under an
 * alert. Null if there are too few answers.
 */
export function baselineShare(
  field: string,
  days: readonly HealthDay[],
  alerts: readonly FieldAlert[],
  before: string,
): BaselineShare | null {
  const from = dayOf(Date.parse(before) - baselineDays * dayMs);
  const counts: FieldCount[] = [];
  for (const { day, answers, filled } of days) {
    if (day < from || day >= before || answers === 0) continue;
    if (alerts.some((alert) => isPartOf(field, alert.field) && isFallen(day, alert))) continue;
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

export function baselineShareOf(usual: BaselineShare | null): number | null {
  return usual === null ? null : shareOf(usual);
}
