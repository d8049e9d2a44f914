import { ExtractError, problemOf, withoutStack } from '../errors/extract-error.js';
import { ErrorRoute } from '../errors/outcomes.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { Cooldown } from './cooldown.js';
import { isRefusal } from './cooldown-refusal.js';
import type { Refusal } from './cooldown-state.js';
import { Pace } from './pace.js';
import { type PaceStore, reserveIn } from './pace-store.js';
import type { Attempt, Gap, Site } from './page-source.js';
import type { PlatformCounter } from './platform-counts.js';
import type { RequestScope } from './refusal-scope.js';

/** How a platform is contacted: by plain requests, or by pages in a browser. */
export type Client = 'plain' | 'browser';

export interface ThrottleOptions {
  /** Returns the pace of a surface, with the user's settings applied. */
  readonly gap: (surface: string) => Gap;
  /** Milliseconds that a surface rests after a first refusal that specifies none. */
  readonly cooldownMs: number;
  readonly clock: Clock;
  readonly paceStore?: PaceStore | undefined;
  readonly counter: PlatformCounter;
}

/** How much longer the host rests after a refusal of the address than a surface after its own: an hour. */
const addressFactor = 60;

/** What is paced and rested together. */
interface Lane {
  readonly pace: Pace;
  readonly cooldown: Cooldown;
  /** The cooldown after a refusal of the address; null for a browser, which may still be served. */
  readonly address: Cooldown | null;
  /** The other client's cooldown, which also starts if the platform specifies a time. */
  readonly other: Cooldown;
}

/**
 * Paces the requests to one platform. Each surface has its own pace and cooldown; a refusal of the address rests them
 * all. The browser shares the pace of the first surface but has its own cooldown, because a platform that refuses plain
 * requests may show a browser the page.
 */
export class Throttle {
  readonly #platform: string;
  readonly #surfaces: readonly string[];
  readonly #options: ThrottleOptions;
  readonly #address: Cooldown;
  readonly #browser: Cooldown;
  readonly #lanes = new Map<string, Lane>();

  constructor({ platform, surfaces }: Pick<Site, 'platform' | 'surfaces'>, options: ThrottleOptions) {
    this.#platform = platform;
    this.#surfaces = Object.keys(surfaces);
    this.#options = options;
    const { cooldownMs, clock, paceStore } = options;
    this.#address = new Cooldown(platform, cooldownMs * addressFactor, clock, paceStore, 'address');
    this.#browser = new Cooldown(`${platform} in a browser`, cooldownMs, clock, paceStore);
  }

  /**
   * Returns the surfaces that refused within the hour and have not answered since, as far as that applies to the
   * request.
   */
  async refusedLately(scope?: RequestScope): Promise<readonly string[]> {
    const late: string[] = [];
    for (const surface of this.#surfaces) {
      const { cooldown } = this.lane(surface);
      await cooldown.lookUp();
      if (cooldown.refusedLately(scope)) late.push(surface);
    }
    return late;
  }

  /** Unknown surfaces share the first lane. */
  lane(surface: string | undefined): Lane {
    const [first = 'page'] = this.#surfaces;
    const name = surface !== undefined && this.#surfaces.includes(surface) ? surface : first;
    const existing = this.#lanes.get(name);
    if (existing !== undefined) return existing;
    const { gap, cooldownMs, clock, paceStore } = this.#options;
    const { concurrency, ...pace } = gap(name);
    const { ms, perHour } = pace;
    const key = `${this.#platform}/${name}`;
    const lane: Lane = {
      pace: new Pace(ms, concurrency, clock, reserveIn(paceStore, key, pace, clock), perHour),
      cooldown: new Cooldown(key, cooldownMs, clock, paceStore),
      address: this.#address,
      other: this.#browser,
    };
    this.#lanes.set(name, lane);
    return lane;
  }

  /**
   * Opens a session. Throws the last refusal if everything it could request is resting, as far as this process knows.
   */
  open(client: Client, scope: RequestScope = {}): ThrottledSession {
    if (client === 'browser') this.#browser.check(scope);
    else this.#checkSurfaces(scope);
    const { clock, counter } = this.#options;
    const first = this.lane(undefined);
    const browser: Lane = { ...first, cooldown: this.#browser, address: null, other: first.cooldown };
    const laneOf = client === 'browser' ? () => browser : (surface?: string) => this.lane(surface);
    return new ThrottledSession({ laneOf, clock, counter, scope });
  }

  #checkSurfaces(scope: RequestScope): void {
    this.#address.check();
    const refusals = this.#surfaces.flatMap((surface) => this.lane(surface).cooldown.refusal(scope) ?? []);
    const [soonest] = refusals.sort((one, other) => (one.retryAfter ?? 0) - (other.retryAfter ?? 0));
    if (soonest !== undefined && refusals.length === this.#surfaces.length) throw soonest;
  }

  /** Resolves once the store has every refusal and answer. */
  async flush(): Promise<void> {
    const cooldowns = [...this.#lanes.values()].map(({ cooldown }) => cooldown);
    await Promise.all([...cooldowns, this.#address, this.#browser].map((one) => one.flush()));
  }
}

interface SessionParts {
  readonly laneOf: (surface?: string) => Lane;
  readonly clock: Clock;
  readonly counter: PlatformCounter;
  readonly scope: RequestScope;
}

interface LaneRecord {
  /** True after a cooldown stopped a request, whose error must not count as another refusal. */
  stopped: boolean;
  /** True after a refusal in this session. It may still use the lane, because another route on it may answer. */
  refused: boolean;
  /** Seconds that a response asked to wait. */
  slowDown?: number;
  /** The last refusal, or else the first failure; a success only if no route failed. */
  ended?: { readonly error: ExtractError | undefined };
}

const slowDown = 'platform_rate_limited';

const errorOf = ({ outcome, cause, retryAfter, subject, scope = 'subject' }: Attempt) =>
  outcome === 'answered'
    ? undefined
    : subject !== undefined
      ? new ErrorRoute(subject)
      : withoutStack(
          () => new ExtractError(outcome, cause, { next: '', scope, ...(retryAfter && { retryAfter }) }),
        );

/** The requests of one session under the platform's throttle. */
export class ThrottledSession {
  readonly #laneOf: SessionParts['laneOf'];
  readonly #counter: PlatformCounter;
  readonly #began: number;
  readonly #scope: RequestScope;
  readonly #records = new Map<Lane, LaneRecord>();

  constructor({ laneOf, clock, counter, scope }: SessionParts) {
    this.#scope = scope;
    this.#laneOf = laneOf;
    this.#counter = counter;
    this.#began = clock.now();
  }

  /** Throws the last refusal during a cooldown, according to any process. */
  async check(surface?: string): Promise<void> {
    const lane = this.#laneOf(surface);
    if (this.#recordOf(lane).refused) return;
    try {
      await lane.address?.checkShared();
      await lane.cooldown.checkShared(this.#scope);
    } catch (refusal) {
      this.#recordOf(lane).stopped = true;
      throw refusal;
    }
  }

  /** Runs one request in turn. A cooldown stops it, even one that began while it was queued. */
  run<T>(work: () => Promise<T>, signal: CallSignal, surface?: string): Promise<T> {
    const { pace } = this.#laneOf(surface);
    const countedWork = () => {
      this.#counter.addRequest(pace);
      return work();
    };
    return pace.run(countedWork, signal, () => this.check(surface));
  }

  addBytes(bytes: number): void {
    this.#counter.addBytes(bytes);
  }

  /**
   * Records the seconds that a response asked to wait. They apply even if the reader can do without that page, as a
   * list can without its items' pages.
   */
  noteSlowDown(seconds: number, surface?: string): void {
    this.#recordOf(this.#laneOf(surface)).slowDown = seconds;
  }

  /** Records the outcome of a route. A refusal counts immediately, for sessions about to request the same thing. */
  report(attempt: Attempt): void {
    const lane = this.#laneOf(attempt.surface);
    const record = this.#recordOf(lane);
    const error = errorOf(attempt);
    if (record.ended?.error === undefined || error instanceof ErrorRoute || isRefusal(error))
      record.ended = { error };
    if (isRefusal(error) && !record.stopped && (!record.refused || error.scope === 'address')) {
      record.refused = true;
      this.#recordRefusal(lane, error, record.slowDown);
    }
  }

  /** Records how the session ended. Returns the resulting error, considering earlier sessions. */
  end(outcome: unknown): unknown {
    const hasRoutes = [...this.#records.values()].some((record) => record.ended !== undefined);
    if (!hasRoutes) this.#recordOf(this.#laneOf()).ended = { error: outcome as ExtractError | undefined };
    let reason = outcome;
    for (const [lane, record] of this.#records) {
      const error = this.#endLane(lane, record);
      if (outcome instanceof ErrorRoute && record.ended?.error instanceof ErrorRoute) reason = error;
    }
    return reason;
  }

  #recordOf(lane: Lane): LaneRecord {
    const existing = this.#records.get(lane);
    if (existing !== undefined) return existing;
    const record: LaneRecord = { stopped: false, refused: false };
    this.#records.set(lane, record);
    return record;
  }

  #endLane(lane: Lane, { stopped, refused, slowDown: seconds, ended }: LaneRecord): unknown {
    if (stopped || refused) return ended?.error;
    const error =
      ended?.error instanceof ErrorRoute
        ? lane.cooldown.recordErrorRoute(ended.error, this.#scope.account)
        : ended?.error;
    const isOfRow = ended?.error instanceof ErrorRoute;
    if (isRefusal(error)) this.#recordRefusal(lane, error, seconds, isOfRow);
    else if (seconds !== undefined) {
      this.#recordRefusal(lane, new ExtractError(slowDown, undefined, { retryAfter: seconds }), seconds);
    } else if (ended !== undefined && (error === undefined || isNotFound(error))) {
      // A “not found” page is an answer, too.
      lane.cooldown.recordAnswer(this.#began, this.#scope);
      lane.address?.recordAnswer(this.#began);
    }
    return error;
  }

  #recordRefusal(lane: Lane, error: ExtractError, seconds: number | undefined, isOfRow = false): void {
    this.#counter.addRefusal();
    const [code, cause] = [error.code as Refusal, problemOf(error)];
    const rests = error.scope === 'address' && lane.address !== null ? lane.address : lane.cooldown;
    // A blocked page may concern only its subject; a limit on frequency concerns the client.
    const isOfPage =
      code === 'platform_blocked' && error.scope === 'subject' && error.retryAfter === undefined;
    const page = isOfRow ? lane.cooldown.scopeOfRefusals(this.#scope.account) : this.#scope;
    const requestScope = isOfPage && seconds === undefined ? page : undefined;
    rests.recordRefusal(code, error.retryAfter, cause, requestScope);
    if (seconds !== undefined) lane.other.recordRefusal(code, seconds, cause);
  }
}

const isNotFound = (error: unknown) => error instanceof ExtractError && error.type === 'not_found';
