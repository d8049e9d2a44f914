import { reservedPrice } from '../../../../lib/call/price.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../../../lib/errors/extract-error.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { countRuns, nextRun, parseTimetable, runsByClock } from '../../schedule/timetable.js';
import type { DueRun, ScheduleAtWork } from './schedule.js';
import type { ScheduleStore } from './schedule-store.js';

interface KeyState {
  /** Why it may no longer create jobs; null if it may. */
  readonly fault: ErrorCode | null;
  /** Credits that it may spend per month; null for no limit. */
  readonly monthlyCredits: number | null;
}

export type ReadKeyState = (account: string, key: string) => Promise<KeyState>;

export interface SchedulerOptions {
  readonly store: ScheduleStore;
  readonly clock: Clock;
  readonly endpoints: readonly Endpoint[];
  readonly readKeyState: ReadKeyState;
  /** Rejects `storage_full` for an account without room for results. */
  readonly checkRoom: (account: string) => Promise<void>;
  readonly onCreated: (job: string) => void;
  /** Called with what prevents work on a schedule. */
  readonly onError: (schedule: string, cause: unknown) => void;
}

/** Maximum milliseconds between searches, after which a changed clock is noticed. */
const pollInterval = 30_000;

/**
 * Creates the jobs of schedules when they are due: one per time of the timetable, one for all missed times, and none
 * while an earlier one is running.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #searches: PeriodicTask;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#searches = new PeriodicTask(options.clock, pollInterval, () => this.#createDue());
  }

  /** Creates every due job, and schedules the next search. */
  wake(): void {
    void this.#searches.run();
  }

  stop(): Promise<void> {
    return this.#searches.stop();
  }

  /** Resolves with the milliseconds until the next search. */
  async #createDue(): Promise<number> {
    const { store, clock, onError } = this.#options;
    try {
      for (const schedule of await store.listDue()) {
        if (this.#searches.isStopped) return pollInterval;
        await this.#make(schedule).catch((cause: unknown) => onError(schedule.id, cause));
      }
      const next = await store.findNextDue();
      // A schedule that could not be advanced, or waits for its last run, delays no other.
      if (next !== null) return Math.min(pollInterval, Math.max(1, next - clock.now()));
    } catch (cause) {
      onError('', cause);
    }
    return pollInterval;
  }

  async #make(schedule: ScheduleAtWork): Promise<void> {
    const { store, clock, onCreated } = this.#options;
    const { id, anchor, nextAt: expected } = schedule;
    const now = clock.now();
    const timetable = parseTimetable(schedule.every, schedule.timezone);
    const past = runsByClock(timetable, schedule, now);
    const next = past.last === schedule.last ? expected : nextRun(timetable, past);
    if (next > now) {
      if (next !== expected) await store.move({ id, expected, at: past.last, nextAt: next });
      return;
    }
    // The end of that job calls `wake` again.
    if (schedule.busy) return;
    const missed = countRuns(timetable, anchor, expected, now);
    const run: DueRun = { id, expected, at: now, nextAt: timetable.next(now, anchor), missed };
    try {
      const { key } = schedule;
      const keyState = key === undefined ? null : await this.#options.readKeyState(schedule.account, key.id);
      const endpoint = this.#options.endpoints.find(({ path }) => path === schedule.endpoint);
      const fault = endpoint === undefined ? 'endpoint_not_found' : (keyState?.fault ?? null);
      if (endpoint === undefined || fault !== null) {
        return await store.refuse(run, fault ?? 'endpoint_not_found');
      }
      await this.#options.checkRoom(schedule.account);
      const job = await store.run(run, reservedPrice(endpoint), keyState?.monthlyCredits ?? null);
      if (job !== null) onCreated(job);
    } catch (error) {
      // If the store fails, the next search creates the run.
      if (!(error instanceof ExtractError) || error instanceof StorageError) throw error;
      await store.refuse(run, error.code);
    }
  }
}
