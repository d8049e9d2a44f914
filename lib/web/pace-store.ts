import { StorageError } from '../errors/storage-error.js';
import type { CallSignal } from '../runtime/abort.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import type { CooldownState, RefusalDetails } from './cooldown-state.js';
import type { Reserve } from './pace.js';
import type { Gap } from './page-source.js';
import type { PlatformDay } from './platform-day.js';

/** A platform's stored state: when its next request may start, its last refusal, and its error pages. */
export interface PlatformPace {
  readonly platform: string;
  /** Milliseconds since 1970; in the past if no request is waiting. */
  readonly nextAt: number;
  readonly cooldown: CooldownState | null;
  /** Fingerprints of subjects with an error page since the last answer. */
  readonly errorRoutes: readonly string[];
}

/** The part of a surface's pace that processes share: milliseconds between two starts, and starts per hour. */
export type SharedPace = Pick<Gap, 'ms' | 'perHour'>;

/** A reserved time, in milliseconds since 1970. */
export interface Turn {
  readonly at: number;
  /**
   * True if a request may start then. False if the hourly budget is used up until then, when it must be requested
   * again.
   */
  readonly isReserved: boolean;
}

/**
 * Pace and cooldowns shared by all processes of a data directory, one row per platform. Every method rejects with
 * `StorageError` if the store is unusable. Its content is worth minutes, so a lost store starts empty.
 */
export interface PaceStore {
  /**
   * True if several machines share the pace. Without the store no platform is then contacted, because answers could be
   * neither charged nor stored.
   */
  readonly isRequired: boolean;
  /**
   * Reserves the next start of a request to a platform and resolves with it: now, or `ms` after the last reservation.
   * An implausible reservation, further ahead than the longest cooldown or made in the future, is ignored. `instead` is
   * an earlier reservation that went unused; if none follows it, it is moved to now. Reserves nothing if the hour's
   * `perHour` is used up.
   */
  reserve(platform: string, pace: SharedPace, instead?: number): Promise<Turn>;
  /** Returns a platform's stored state, or null. The cooldown of its last refusal may be over. */
  find(platform: string): Promise<PlatformPace | null>;
  /** Records a refusal and resolves with the resulting cooldown, by the rule of `nextCooldown`. */
  recordRefusal(platform: string, refusal: RefusalDetails): Promise<CooldownState>;
  /** Records that the platform returned its error page for the subject with this fingerprint. */
  recordErrorRoute(platform: string, print: string): Promise<void>;
  /**
   * Records an answer to a session that started at `began`, which ends the cooldown and the count of refusals, unless
   * the session was in flight when the platform refused. Any answer clears the error pages.
   */
  recordAnswer(platform: string, began: number): Promise<void>;
  /** Returns every platform ever contacted, ordered by name. */
  listPlatforms(): Promise<readonly PlatformPace[]>;
  /** Adds to the counts of each platform and day; the shortest gap stays. */
  addDays(days: readonly PlatformDay[]): Promise<void>;
  /** Returns the counts since a day, such as 2026-11-26: newest day first, then by platform. */
  listDays(since: string): Promise<readonly PlatformDay[]>;
  close(): Promise<void>;
}

/** How long a request waits for a required store, and the retry interval, in milliseconds. */
const [patienceMs, againMs] = [30_000, 1_000];

/** Reserves a turn; undefined if the store is unusable and not required. */
async function takeTurn(
  store: PaceStore,
  ask: () => Promise<Turn>,
  clock: Clock,
  signal: CallSignal,
): Promise<Turn | undefined> {
  const began = elapsed(clock);
  for (;;) {
    try {
      return await ask();
    } catch (fault) {
      if (!(fault instanceof StorageError)) throw fault;
      if (!store.isRequired) return undefined;
      if (elapsed(clock) - began >= patienceMs) throw fault;
    }
    await clock.sleep(againMs, signal);
  }
}

/**
 * Returns how requests to a platform reserve their starts in a store. If the store is unusable, each process keeps its
 * own pace; if it is required, requests wait for it and reject with its error.
 */
export function reserveIn(
  store: PaceStore | undefined,
  platform: string,
  pace: SharedPace,
  clock: Clock,
): Reserve {
  return async (instead, signal) => {
    if (store === undefined) return undefined;
    for (;;) {
      const turn = await takeTurn(store, () => store.reserve(platform, pace, instead), clock, signal);
      if (turn === undefined || turn.isReserved) return turn?.at;
      await clock.sleep(Math.max(againMs, turn.at - clock.now()), signal);
    }
  };
}

/** Undefined if the store is unusable, because no call may fail for that. */
export async function unlessUnusable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
