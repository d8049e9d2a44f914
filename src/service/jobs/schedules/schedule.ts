import type * as z from 'zod';
import type { JobAtWork, NewJob } from '../job.js';
import type { scheduleObject } from '../job-objects.js';

export type Schedule = Readonly<z.output<typeof scheduleObject>>;

export type ScheduleStatus = Schedule['status'];

/** A schedule for the scheduler. Times are milliseconds since 1970. */
export interface ScheduleAtWork extends Pick<JobAtWork, 'id' | 'account' | 'key' | 'endpoint'> {
  readonly every: string;
  readonly timezone: string;
  readonly anchor: number;
  readonly last: number;
  readonly nextAt: number;
  /** True while one of its jobs has unwritten lines. */
  readonly busy: boolean;
}

/** Minimum milliseconds between two runs. */
export const minScheduleGap = 15 * 60_000;
/** Maximum unfinished schedules of an account, and maximum remembered ended ones. */
export const maxSchedules = 100;

/** A job whose inputs are its schedule's. */
export interface ScheduledJob
  extends Pick<NewJob, 'account' | 'key' | 'name' | 'endpoint' | 'credits' | 'webhookUrl' | 'lineOptions'> {
  readonly count: number;
  /** Bytes of the job's own inputs. */
  readonly inputBytes: number;
}

export interface SchedulePage {
  readonly schedules: readonly Schedule[];
  /** The id to continue from; null on the last page. */
  readonly next: string | null;
}

/** A run that is due, and when the next one is. */
export interface DueRun {
  readonly id: string;
  /** The `nextAt` that was read: another process may have created the run since. */
  readonly expected: number;
  readonly at: number;
  readonly nextAt: number;
  /** Times of the timetable between `expected` and `at`; none by default. */
  readonly missed?: number;
}
