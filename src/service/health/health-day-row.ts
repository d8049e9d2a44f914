import type { HealthDay } from './health-day.js';

/** A day of an endpoint as stores keep it: objects as JSON. */
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

/** Milliseconds after which a claim of mails ends by itself: the process that made it was killed. */
export const mailLeaseMs = 10 * 60_000;
/** Milliseconds after which a mail that could not be sent is due again. */
export const mailRetryMs = 5 * 60_000;
