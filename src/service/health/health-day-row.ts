import type { HealthDay } from './health-day.js';

export interface HealthDayRow {
  readonly day: string;
  readonly endpoint: string;
  readonly outcomes: string;
  readonly minutes: string;
  readonly answers: number;
  readonly filled: string;
}

export function dayOf(row: HealthDayRow): HealthDay {
  return {
    ...row,
    outcomes: JSON.parse(row.outcomes) as HealthDay['outcomes'],
    minutes: JSON.parse(row.minutes) as HealthDay['minutes'],
    filled: JSON.parse(row.filled) as HealthDay['filled'],
  };
}

export function rowOf({ day, endpoint, outcomes, minutes, answers, filled }: HealthDay): HealthDayRow {
  const texts = {
    outcomes: JSON.stringify(outcomes),
    minutes: JSON.stringify(minutes),
    filled: JSON.stringify(filled),
  };
  return { day, endpoint, answers, ...texts };
}

/** Milliseconds until a mail claim expires, in case its process was killed. */
export const mailLeaseMs = 10 * 60_000;
/** Milliseconds until a failed mail is due again. */
export const mailRetryMs = 5 * 60_000;
