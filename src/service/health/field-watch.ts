import { dayMs, hourMs, maxSkewMs } from '../../../lib/runtime/clock.js';
import { baselineDays } from './baseline-shares.js';
import { alertNats, type BaselineShare, type FieldCount, hasFallen, shareOf } from './fall-test.js';
import type { HealthDay } from './health-day.js';
import type { FieldAlert } from './health-store.js';
import type { RecentCalls } from './recent-calls.js';
import { isPartOf } from './watched-fields.js';

export interface FieldChanges {
  readonly raised: readonly FieldAlert[];
  /** Alerts that ended. `accepted`: the current share becomes the baseline. */
  readonly ended: readonly { readonly alert: FieldAlert; readonly accepted: boolean }[];
}

export interface FieldHistory {
  readonly endpoint: string;
  /** A field precedes the fields within it. */
  readonly fields: readonly string[];
  readonly hours: RecentCalls['hours'];
  readonly days: readonly HealthDay[];
  readonly alerts: readonly FieldAlert[];
}

/** Minimum answers to trust a fall: fewer may be one query repeated. */
export const minAnswers = 20;
/** Maximum days to compare, besides the last hours. */
export const maxDays = 14;
/** Answers after an alert that must have the field almost as often as usual. */
const backAnswers = 100;
const minBack = 0.85;

interface TimedCount extends FieldCount {
  /** Start of the period, milliseconds since 1970. */
  readonly from: number;
}

/**
 * Returns a field's counts after a time, newest first: the last hours, then whole days. A steep fall shows within an
 * hour, a slight one within days. Times after `latest` come from a clock that was later set back.
 */
function countsOf(
  history: FieldHistory,
  index: number,
  after: number,
  latest: number,
): readonly TimedCount[] {
  const { fields, hours, days } = history;
  const field = fields[index] ?? '';
  const ofHours = hours
    .filter(({ filled }) => filled.length === fields.length)
    .map(({ hour, answers, filled }) => ({ from: hour * hourMs, answers, filled: filled[index] ?? 0 }));
  const ofDays = days
    .slice(-maxDays)
    .map(({ day, answers, filled }) => ({ from: Date.parse(day), answers, filled: filled[field] ?? 0 }))
    .filter(({ from }) => from + dayMs <= (ofHours[0]?.from ?? Number.POSITIVE_INFINITY));
  return [...ofDays, ...ofHours]
    .filter(({ from }) => (from >= after || after > latest) && from <= latest)
    .reverse();
}

/** Yields the sums of the newest count, the newest two, three and so on. */
function* windowsOf(counts: readonly TimedCount[]): Generator<TimedCount> {
  let [answers, filled] = [0, 0];
  for (const count of counts) {
    answers += count.answers;
    filled += count.filled;
    if (answers >= minAnswers) yield { from: count.from, answers, filled };
  }
}

/** Compares recent answers with the baseline. `baselineBefore` returns a field's share before the day of a time. */
export function checkFields(
  history: FieldHistory,
  now: number,
  baselineBefore: (field: string, time: number) => BaselineShare | null,
): FieldChanges {
  const { endpoint, fields, alerts } = history;
  const raised: FieldAlert[] = [];
  const endings: { alert: FieldAlert; accepted: boolean }[] = [];
  const countsSince = (index: number, time: number) => countsOf(history, index, time, now + maxSkewMs);
  for (const [index, field] of fields.entries()) {
    const alert = alerts.find((one) => one.field === field && one.ended === null);
    if (alert !== undefined) {
      const isAccepted = now - alert.since >= (baselineDays / 2) * dayMs;
      if (isAccepted || isBack(countsSince(index, alert.since), alert.usual))
        endings.push({ alert, accepted: isAccepted });
      continue;
    }
    const related = alerts.filter((one) => isPartOf(field, one.field));
    // The alert of the parent object covers this field.
    if ([...related, ...raised].some((one) => one.ended === null && isPartOf(field, one.field))) continue;
    // The answers before the last alert ended belong to it.
    const ends = related.map(({ ended }) => ended ?? 0);
    const fall = fallOf(countsSince(index, Math.max(0, ...ends)), (time) => baselineBefore(field, time));
    if (fall !== null) raised.push({ endpoint, field, since: now, ...fall, ended: null, accepted: false });
  }
  return { raised, ended: endings };
}

/** Returns the first fall in a field's counts; null for none. */
function fallOf(
  counts: readonly TimedCount[],
  baselineBefore: (time: number) => BaselineShare | null,
): Pick<FieldAlert, 'usual' | 'share' | 'answers'> | null {
  let day = Number.NaN;
  let usual: BaselineShare | null = null;
  for (const window of windowsOf(counts)) {
    // Dozens of windows begin on one day.
    const dayNumber = Math.floor(window.from / dayMs);
    if (dayNumber !== day) usual = baselineBefore(window.from);
    day = dayNumber;
    if (usual === null || !hasFallen(usual, window, alertNats)) continue;
    return { usual: shareOf(usual), share: shareOf(window), answers: window.answers };
  }
  return null;
}

/** Returns true if the last hundred answers have the field almost as often as usual. */
function isBack(counts: readonly TimedCount[], usual: number): boolean {
  for (const window of windowsOf(counts)) {
    if (window.answers >= backAnswers) return shareOf(window) >= usual * minBack;
  }
  return false;
}
