import { StorageError } from '../errors/storage-error.js';
import type { CallSignal } from '../runtime/abort.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import type { CooldownState, RefusalDetails } from './cooldown-state.js';
import type { Reserve } from './pace.js';
import type { Gap } from './page-source.js';
import type { PlatformDay } from './platform-day.js';

/** The stored state of a platform: when its next request may begin, its last refusal, and its error pages. */
export interface PlatformPace {
  readonly platform: string;
  /** Milliseconds since 1970; in the past where nobody waits. */
  readonly nextAt: number;
  readonly cooldown: CooldownState | null;
  /** Prints of the subjects in whose place it showed its error page since the last answer. */
  readonly errorRoutes: readonly string[];
}

/** What processes share of a surface's pace: milliseconds between two starts, and how many may begin within an hour. */
export type SharedPace = Pick<Gap, 'ms' | 'perHour'>;

/** A moment, in milliseconds since 1970. */
export interface Turn {
  readonly at: number;
  /** True where a request may begin then. False where the hour's budget is spent until then: it is to be asked for anew. */
  readonly isReserved: boolean;
}

/**
 * The port of the pace and the cool-downs that all processes of a data directory share. A row a platform. Every
 * method rejects with `StorageError` when the store cannot be used. Its content is worth minutes, so a lost store
 * begins anew.
 */
export interface PaceStore {
  /**
   * True where several machines share the pace: nobody asks a platform without it. Answers received meanwhile could
   * be neither charged nor stored.
   */
  readonly isRequired: boolean;
  /**
   * Reserves the next moment for a request to a platform and resolves with it. The moment is now, or `ms` after the
   * one that was reserved last. A reserved moment further ahead than the longest cool-down is not believed. Nor is
   * one that was reserved in the future. `instead` is a moment of the caller's own that passed unused. Where nobody
   * reserved one after it, now takes its place. Nothing is reserved where an hour has its `perHour`.
   */
  reserve(platform: string, pace: SharedPace, instead?: number): Promise<Turn>;
  /** The stored state of a platform, or null. The cool-down of its last refusal since the last answer may be over. */
  find(platform: string): Promise<PlatformPace | null>;
  /** Records a refusal and resolves with the cool-down that follows, by the rule of `nextCooldown`. */
  recordRefusal(platform: string, refusal: RefusalDetails): Promise<CooldownState>;
  /** Records that the platform showed its error page in place of a subject, which its print names. */
  recordErrorRoute(platform: string, print: string): Promise<void>;
  /**
   * Records an answer to a session that began at `began`: it ends the cool-down and the count of refusals. One that was on
   * its way when the platform refused ends neither. Error pages are forgotten by every answer.
   */
  recordAnswer(platform: string, began: number): Promise<void>;
  /** Every platform that was ever asked, in the order of its name. */
  listPlatforms(): Promise<readonly PlatformPace[]>;
  /** Adds counts to those of their platform and day; of gaps the shortest stays. */
  addDays(days: readonly PlatformDay[]): Promise<void>;
  /** The counts since a day, such as 2026-11-26: the newest day first, then by the name of the platform. */
  listDays(since: string): Promise<readonly PlatformDay[]>;
  close(): Promise<void>;
}

/** Milliseconds for which a request waits for a store without which nobody asks, and between two tries. */
const [patienceMs, againMs] = [30_000, 1_000];

/** Asks a store for a turn; undefined where it cannot be used, and is not required. */
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
 * How requests to a platform reserve their moments in a store. Where it cannot be used, each process keeps a pace of its own,
 * or waits for it, where it is required. Rejects with the fault of a store that stays away.
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

/** The result, or undefined where the store cannot be used: no call fails for that. */
export async function unlessUnusable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
