import type { HealthDay } from './health-day.js';

/** A day of an endpoint as stored: objects as JSON. */
export interface HealthDayRow {
  readonly day: string;
  readonly endpoint: string;
  readonly outcomes: string;
  readonly minutes: string;
  readonly answers: number;
  readonly filled: string;
}

/** The day of a row. */
export function dayOf(row: HealthDayRow): HealthDay {
  return {
    ...row,
    outcomes: JSON.parse(row.outcomes) as HealthDay['outcomes'],
    minutes: JSON.parse(row.minutes) as HealthDay['minutes'],
    filled: JSON.parse(row.filled) as HealthDay['filled'],
  };
}

/** The row of a day. */
export function rowOf({ day, endpoint, outcomes, minutes, answers, filled }: HealthDay): HealthDayRow {
  const texts = {
    outcomes: JSON.stringify(outcomes),
    minutes: JSON.stringify(minutes),
    filled: JSON.stringify(filled),
  };
  return { day, endpoint, answers, ...texts };
}

/** Milliseconds until a mail claim expires, in case the process that made it was killed. */
export const mailLeaseMs = 10 * 60_000;
/** Milliseconds until a failed mail is due again. */
export const mailRetryMs = 5 * 60_000;
