import type * as z from 'zod';
import type { NewJob } from '../job.js';
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

/** A job whose inputs are those of its schedule. */
export interface ScheduledJob
  extends Pick<NewJob, 'account' | 'key' | 'name' | 'endpoint' | 'credits' | 'webhookUrl' | 'lineOptions'> {
  /** Inputs. */
  readonly count: number;
  /** Bytes of those that are the job's own. */
  readonly inputBytes: number;
}

export interface SchedulePage {
  readonly schedules: readonly Schedule[];
  /** Id to go on from; null on the last page. */
  readonly next: string | null;
}

/** A run that is due, and when the one after it is. */
export interface DueRun {
  readonly id: string;
  /** `nextAt` as it was read: a run that somebody else made meanwhile is not made again. */
  readonly expected: number;
  readonly at: number;
  readonly nextAt: number;
  /** Times of the timetable after `expected` that passed before `at`; none when left out. */
  readonly missed?: number;
}
