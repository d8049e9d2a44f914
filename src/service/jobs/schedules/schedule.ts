import type * as z from 'zod';
import type { JobAtWork, NewJob } from '../job.js';
import type { scheduleObject } from '../job-objects.js';

/** A recurring job of the contract. */
export type Schedule = Readonly<z.output<typeof scheduleObject>>;

export type ScheduleStatus = Schedule['status'];

/** A schedule as the scheduler sees it; times are milliseconds since 1970. */
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
/** Maximum number of an account's unfinished schedules, and of its newest ended ones that are remembered. */
export const maxSchedules = 100;

/** A job whose inputs are its schedule's. */
export interface ScheduledJob
  extends Pick<NewJob, 'account' | 'key' | 'name' | 'endpoint' | 'credits' | 'webhookUrl' | 'lineOptions'> {
  /** Number of inputs. */
  readonly count: number;
  /** Bytes of the job's own inputs. */
  readonly inputBytes: number;
}

export interface SchedulePage {
  readonly schedules: readonly Schedule[];
  /** Id to continue from; null on the last page. */
  readonly next: string | null;
}

/** A run that is due, and when the next one is. */
export interface DueRun {
  readonly id: string;
  /** `nextAt` as it was read, so that a run created by another process meanwhile is not repeated. */
  readonly expected: number;
  readonly at: number;
  readonly nextAt: number;
  /** Times of the timetable after `expected` that passed before `at`; none if omitted. */
  readonly missed?: number;
}
