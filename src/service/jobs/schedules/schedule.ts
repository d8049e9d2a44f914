import type { ErrorCode } from '../../../../lib/errors/extract-error.js';
import type { LineOptions } from '../job.js';

export type ScheduleStatus = 'active' | 'paused' | 'ended';

/** A job that is made again and again, as it is answered. */
export interface Schedule extends LineOptions {
  readonly id: string;
  /** The name that its owner gave it and its jobs; left out without one. */
  readonly name?: string;
  readonly endpoint: string;
  /** `6h`, `1d`, `monday 08:00`, `0 6 * * *`. */
  readonly every: string;
  /** Where its times are those of the clock on the wall. */
  readonly timezone: string;
  readonly status: ScheduleStatus;
  /** Inputs of each run. */
  readonly total: number;
  readonly credits_per_run: number;
  /** Runs ahead of an active schedule. */
  readonly runs_in_30_days: number;
  readonly credits_in_30_days: number;
  /** The targets that are told of each run, with no more of an address than its host; left out for none. */
  readonly notify?: readonly string[];
  readonly webhook_url: string | null;
  readonly next_run_at: string | null;
  readonly last_run: {
    readonly at: string;
    /** Null where no job was made. */
    readonly job: string | null;
    readonly error: ErrorCode | null;
  };
  readonly created_at: string;
}

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
