import type { ErrorCode } from '../../../../lib/errors/extract-error.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { HistoryReader } from '../../../lines/memory/history.js';
import type { Schedule, ScheduleAtWork } from './schedule.js';
import type { RunPage } from './schedule-runs.js';

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

/**
 * The port to jobs that are made again and again; `JobStore.create` makes one with its first job. Each method that
 * changes something resolves when it is on the disk.
 */
export interface Schedules {
  /** Schedules of an account, newest first, before the one of that id. Platforms narrow the list. */
  list(
    account: string,
    limit: number,
    before: string | undefined,
    platforms?: readonly Platform[] | null,
  ): Promise<SchedulePage>;
  /** A schedule of an account. Rejects `schedule_not_found`. */
  find(account: string, id: string): Promise<Schedule>;
  /** Makes no further run until it is resumed. Rejects `schedule_not_found`, `schedule_ended`. */
  pause(account: string, id: string): Promise<Schedule>;
  /** Goes on with the next time of the timetable; what was missed meanwhile is not made up. Rejects as `pause` does. */
  resume(account: string, id: string): Promise<Schedule>;
  /**
   * Ends a schedule for good. Its history and the links to it are deleted at once, its inputs once the jobs under way
   * have ended. An ended schedule is kept until a hundred newer ones of its account have ended. Rejects
   * `schedule_not_found`.
   */
  end(account: string, id: string): Promise<Schedule>;
  /** Makes the next run due now, in place of no other. Rejects `schedule_not_found`, `schedule_ended`, `job_not_finished` while a run is under way, `invalid_parameter` for a paused one. */
  runNow(account: string, id: string): Promise<Schedule>;
  /** Runs of a schedule, the newest first, before that number. Rejects `schedule_not_found`. */
  listRuns(account: string, id: string, limit: number, before: number | undefined): Promise<RunPage>;
  /** The history of a schedule, to be read. Rejects `schedule_not_found`; `invalid_parameter` for one without a history. */
  readHistory(account: string, id: string): Promise<HistoryReader>;
  /**
   * Deletes changes of all schedules that were read before a time; milliseconds since 1970. The state that was read
   * last stays.
   */
  pruneChanges(before: number): Promise<void>;
  /** Deletes what is left of the histories of schedules that ended with their account, or where a process was killed. */
  removeEnded(): Promise<void>;
  /** Active schedules that are due, or whose last run is in the future of a clock that was set back. */
  listDue(): Promise<readonly ScheduleAtWork[]>;
  /** When the next run that is not due yet will be; milliseconds since 1970, null for none. */
  findNextDue(): Promise<number | null>;
  /**
   * Makes the job of a run and moves the schedule on, in one transaction: once, whatever crashes. Gives the job's id;
   * null for a run that is not due any more. Rejects `insufficient_credits` with nothing changed. `monthlyCredits`: what
   * its key may spend a month, null for no limit.
   */
  run(run: DueRun, credits: number, monthlyCredits?: number | null): Promise<string | null>;
  /** Records a run that could not be made, and moves the schedule on. */
  refuse(run: DueRun, code: ErrorCode): Promise<void>;
  /** Moves the times of a schedule by a clock that was set back; `at` becomes its last run. */
  move(run: DueRun): Promise<void>;
}
