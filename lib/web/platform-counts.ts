import { type Clock, dayMs } from '../runtime/clock.js';
import { PeriodicTask } from '../runtime/periodic-task.js';
import { type PaceStore, unlessUnusable } from './pace-store.js';
import type { PlatformDay } from './platform-day.js';

/** Milliseconds from the first request that is counted to when the store knows of it: a kill loses no more. */
const flushMs = 10_000;

/** Counts the requests to one platform. */
export interface PlatformCounter {
  /** A request begins. */
  addRequest(): void;
  /** So many bytes of a body came, as they were sent. */
  addBytes(bytes: number): void;
  /** The platform refused. */
  addRefusal(): void;
}

type Counts = { -readonly [Name in keyof PlatformDay]: PlatformDay[Name] };

/** Names a platform and the day of a time, without the text of a date: it is asked for at each request. */
const nameOf = (platform: string, at: number) => `${platform} ${Math.floor(at / dayMs)}`;

/** Counts requests by platform and day in memory, and adds them to the store now and then. No call waits for it, or fails with it. */
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

  /** The counter of a platform. */
  of(platform: string): PlatformCounter {
    let last: number | undefined;
    return {
      addRequest: () => {
        const now = this.#clock.now();
        const counts = this.#today(platform);
        counts.requests += 1;
        // A clock that was set back tells nothing of the time between two requests.
        if (last !== undefined && now >= last) {
          counts.shortest_gap_ms = Math.min(counts.shortest_gap_ms ?? Number.POSITIVE_INFINITY, now - last);
        }
        last = now;
      },
      addBytes: (bytes) => {
        this.#today(platform).bytes += bytes;
      },
      addRefusal: () => {
        this.#today(platform).refusals += 1;
      },
    };
  }

  /** Counts no more. Resolves when the store knows of everything, or cannot be used. */
  async close(): Promise<void> {
    await this.#task.stop();
    await this.#write();
  }

  #today(platform: string): Counts {
    if (this.#store !== undefined) this.#task.arm();
    const now = this.#clock.now();
    const name = nameOf(platform, now);
    const known = this.#days.get(name);
    if (known !== undefined) return known;
    const day = new Date(now).toISOString().slice(0, 10);
    const counts = { platform, day, requests: 0, refusals: 0, bytes: 0, shortest_gap_ms: null };
    this.#days.set(name, counts);
    return counts;
  }

  async #flush(): Promise<null> {
    await this.#write();
    // The next request arms it again.
    return null;
  }

  async #write(): Promise<void> {
    if (this.#store === undefined || this.#days.size === 0) return;
    const days = [...this.#days.values()];
    this.#days = new Map();
    const written = await unlessUnusable(this.#store.addDays(days).then(() => true));
    if (written === undefined) for (const day of days) this.#takeBack(day);
  }

  /** Counts that a store could not take wait for the next time. */
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
