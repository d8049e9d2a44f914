import { type Clock, dayMs } from '../runtime/clock.js';
import { PeriodicTask } from '../runtime/periodic-task.js';
import { type PaceStore, unlessUnusable } from './pace-store.js';
import type { PlatformDay } from './platform-day.js';

/** Milliseconds from the first counted request until it is stored; a kill loses no more than that. */
const flushMs = 10_000;

export interface PlatformCounter {
  /** Counts the start of a request. Requests with the same `pace` wait for each other. */
  addRequest(pace: object): void;
  addBytes(bytes: number): void;
  addRefusal(): void;
}

type Counts = { -readonly [Name in keyof PlatformDay]: PlatformDay[Name] };

/** Identifies a platform and a day without formatting a date, because it runs for each request. */
const nameOf = (platform: string, at: number) => `${platform} ${Math.floor(at / dayMs)}`;

/**
 * Counts requests by platform and day in memory and periodically adds them to the store. No call waits for it or fails
 * because of it.
 */
export class PlatformCounts {
  readonly #store: Pick<PaceStore, 'addDays'> | undefined;
  readonly #clock: Clock;
  readonly #task: PeriodicTask;
  #days = new Map<string, Counts>();

  constructor(store: Pick<PaceStore, 'addDays'> | undefined, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#task = new PeriodicTask(clock, flushMs, () => this.#flush(), false);
  }

  of(platform: string): PlatformCounter {
    const starts = new WeakMap<object, number>();
    return {
      addRequest: (pace) => {
        const last = starts.get(pace);
        const now = this.#clock.now();
        const counts = this.#today(platform);
        counts.requests += 1;
        // If the clock was set back, the time between two requests is unknown.
        if (last !== undefined && now >= last) {
          counts.shortest_gap_ms = Math.min(counts.shortest_gap_ms ?? Number.POSITIVE_INFINITY, now - last);
        }
        starts.set(pace, now);
      },
      addBytes: (bytes) => {
        this.#today(platform).bytes += bytes;
      },
      addRefusal: () => {
        this.#today(platform).refusals += 1;
      },
    };
  }

  /** Stops counting. Resolves once everything is stored or the store is unusable. */
  async close(): Promise<void> {
    await this.#task.stop();
    await this.#write();
  }

  #today(platform: string): Counts {
    if (this.#store !== undefined) this.#task.arm();
    const now = this.#clock.now();
    const name = nameOf(platform, now);
    const today = this.#days.get(name);
    if (today !== undefined) return today;
    const day = new Date(now).toISOString().slice(0, 10);
    const counts = { platform, day, requests: 0, refusals: 0, bytes: 0, shortest_gap_ms: null };
    this.#days.set(name, counts);
    return counts;
  }

  async #flush(): Promise<null> {
    await this.#write();
    // The next request sets the timer again.
    return null;
  }

  async #write(): Promise<void> {
    if (this.#store === undefined || this.#days.size === 0) return;
    const days = [...this.#days.values()];
    this.#days = new Map();
    const isWritten = await unlessUnusable(this.#store.addDays(days).then(() => true));
    if (isWritten === undefined) for (const day of days) this.#takeBack(day);
  }

  /** Keeps counts that the store did not accept for the next attempt. */
  #takeBack(day: Counts): void {
    const name = nameOf(day.platform, Date.parse(day.day));
    const since = this.#days.get(name);
    if (since === undefined) {
      this.#days.set(name, day);
      return;
    }
    since.requests += day.requests;
    since.refusals += day.refusals;
    since.bytes += day.bytes;
    const gaps = [since.shortest_gap_ms, day.shortest_gap_ms].filter((gap) => gap !== null);
    since.shortest_gap_ms = gaps.length === 0 ? null : Math.min(...gaps);
  }
}
