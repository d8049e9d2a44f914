import { isoTime } from '../../../lib/read/iso-time.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { nextRun, runsByClock, type Timetable } from '../../service/schedule/timetable.js';
import type { WatchDelivery, WatchRun, WatchState, WatchStore } from './watch-store.js';

export interface WatchResult {
  /** False if the next run has to resume it. */
  readonly finished: boolean;
  readonly report: Readonly<Record<string, unknown>>;
}

export interface WatchOptions {
  readonly id: string;
  readonly store: WatchStore;
  /** Null for a single run, started by an external scheduler. */
  readonly timetable: Timetable | null;
  readonly clock: Clock;
  /** Ends the waiting; a run in progress ends itself. */
  readonly signal: CallSignal;
  /** Returns the output file of a run that starts at this time. */
  readonly outputOf: (at: number) => Promise<string | null>;
  readonly newDeliveryId: () => string;
  /** Makes one run, or resumes an earlier one. An error ends the watch. */
  readonly run: (run: WatchRun, isTakenUp: boolean) => Promise<WatchResult>;
  /** Reports when the next run is. */
  readonly onNext: (at: number) => Promise<void>;
  /** Posts the report of a run, and eventually gives up; undefined without a target. */
  readonly deliver: ((delivery: WatchDelivery) => Promise<void>) | undefined;
}

/** Maximum milliseconds of one sleep, so that a changed clock, or a machine that slept, is noticed. */
const maxSleep = 60_000;

/** Runs repeatedly at its times. The store is written before and after each run, so that a restart continues. */
export class Watch {
  readonly #options: WatchOptions;
  #state: WatchState | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Runs until the signal is aborted, or once. Resolves with the result of the last run; null without one. */
  async start(): Promise<WatchResult | null> {
    const { id, store, timetable, signal, onNext } = this.#options;
    this.#state = await store.read(id);
    await this.#deliver();
    // An interrupted run resumes immediately.
    let isDue = timetable === null || this.#state === null || this.#state.run !== null;
    let result: WatchResult | null = null;
    while (!signal.aborted) {
      if (isDue) result = await this.#run();
      if (timetable === null || signal.aborted) return result;
      const next = await this.#next(timetable);
      if (next > this.#options.clock.now()) await onNext(next);
      isDue = await this.#wait(timetable);
    }
    return result;
  }

  async #next(timetable: Timetable): Promise<number> {
    const now = this.#options.clock.now();
    const state = this.#state;
    if (state === null) return now;
    const past = runsByClock(timetable, state, now);
    if (past.last !== state.last) await this.#write({ ...state, ...past });
    return nextRun(timetable, past);
  }

  /** Waits for the next run; false if the watch ends before it. */
  async #wait(timetable: Timetable): Promise<boolean> {
    const { clock, signal } = this.#options;
    for (;;) {
      const waitMs = (await this.#next(timetable)) - clock.now();
      if (signal.aborted) return false;
      if (waitMs <= 0) return true;
      try {
        await clock.sleep(Math.min(waitMs, maxSleep), signal);
      } catch {
        return false;
      }
    }
  }

  async #run(): Promise<WatchResult> {
    const { clock, timetable, outputOf, newDeliveryId, deliver } = this.#options;
    const now = clock.now();
    const lastRun = this.#state?.run ?? null;
    const run = lastRun ?? { at: now, output: await outputOf(now) };
    await this.#write({ anchor: this.#state?.anchor ?? now, last: now, run, delivery: null });
    const result = await this.#options.run(run, lastRun !== null);
    const next = timetable === null ? null : isoTime(await this.#next(timetable));
    const body = JSON.stringify({ ...result.report, next_run_at: next });
    await this.#write({
      ...(this.#state as WatchState),
      run: result.finished ? null : run,
      delivery: deliver === undefined ? null : { id: newDeliveryId(), body },
    });
    await this.#deliver();
    return result;
  }

  async #deliver(): Promise<void> {
    const { deliver } = this.#options;
    const delivery = this.#state?.delivery ?? null;
    if (this.#state === null || delivery === null) return;
    await deliver?.(delivery);
    await this.#write({ ...this.#state, delivery: null });
  }

  async #write(state: WatchState): Promise<void> {
    await this.#options.store.write(this.#options.id, state);
    this.#state = state;
  }
}
