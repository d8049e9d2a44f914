import type * as z from 'zod';
import type { scheduleObject } from '../job-objects.js';

/** A job that is made again and again, as it is answered. */
export type Schedule = Readonly<z.output<typeof scheduleObject>>;

export type ScheduleStatus = Schedule['status'];

/** A schedule as the scheduler looks at it; times are milliseconds since 1970. */
export interface ScheduleAtWork {
  readonly id: string;
  readonly account: string;
  readonly key: { readonly id: string; readonly name: string } | undefined;
  readonly endpoint: string;
  readonly every: string;
  readonly timezone: string;
  readonly anchor: number;
  readonly last: number;
  readonly nextAt: number;
  /** True while one of its jobs has lines to be written. */
  readonly busy: boolean;
}

/** Milliseconds between two runs, at least. */
export const minScheduleGap = 15 * 60_000;
/** Schedules of one account that are not ended, at most; and of those that ended, the newest that are remembered. */
export const maxSchedules = 100;
