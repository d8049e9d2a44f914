import type { Browser, BrowserContext } from 'playwright-core';
import { type CallSignal, unlessAborted, whileWaiting } from '../../runtime/abort.js';
import type { Clock } from '../../runtime/clock.js';
import type { Site } from '../page-source.js';
import type { BrowserProcess } from './browser-process.js';
import { BrowserGone } from './faults.js';
import type { VisitLimits } from './limits.js';
import { Turns } from './turns.js';
import { Visit } from './visit.js';

/** How long a visit in the middle of a list waits for the next part to be asked for. */
const restMs = 60_000;
/** How long its place is kept for a list that is read on, while others wait for one. */
const keptMs = 10_000;
/** Milliseconds after which a visit of the same list is ended all the same where others wait. */
const maxVisitMs = 5 * 60_000;
/** Milliseconds for the browser to begin a visit, and then for its page to be there. */
const beginMs = 10_000;
/** Milliseconds for a context to close; one that does not lets the browser be killed. */
const closeMs = 10_000;

/** The language that plain requests ask for. A browser would ask for that of its system, whose words no reader knows. */
const languageOf = ({ headers }: Site) => /^[\w-]+/.exec(headers['accept-language'] ?? '')?.[0] ?? 'en';

/** A visit with its place among those at once. */
export interface OpenVisit {
  readonly visit: Visit;
  readonly platform: string;
  readonly begunAt: number;
  /** Gives its place to the next one. */
  leavePlace(): void;
}

interface Resting extends OpenVisit {
  /** Until then its place is not for others. */
  readonly keptUntil: number;
  stop: () => void;
}

/** The current counts, for monitoring. */
export interface VisitCounts {
  /** Visits that are under way. */
  readonly open: number;
  /** Visits since the start. */
  readonly begun: number;
}

/**
 * The visits of one browser: at most so many at once, callers in turns. A visit that ends in the middle of a list stays
 * open for a while. The next part then needs no scrolling from the beginning. The visit closes where its place is
 * needed.
 */
export class Visits {
  readonly #process: BrowserProcess;
  readonly #turns: Turns;
  readonly #limits: VisitLimits;
  readonly #clock: Clock;
  /** Hosts of every site that the browser may reach, by platform. */
  readonly #hosts: ReadonlyMap<string, readonly string[]>;
  readonly #contexts: number;
  #resting: Resting[] = [];
  /** Visits that are being put away: no more of them than there are places. */
  readonly #closing = new Set<Promise<void>>();
  #begun = 0;

  constructor(
    process: BrowserProcess,
    options: {
      readonly contexts: number;
      readonly limits: VisitLimits;
      readonly clock: Clock;
      readonly hosts: ReadonlyMap<string, readonly string[]>;
    },
  ) {
    this.#process = process;
    this.#contexts = options.contexts;
    this.#turns = new Turns(options.contexts);
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#hosts = options.hosts;
  }

  get counts(): VisitCounts {
    return { open: this.#turns.taken - this.#resting.length, begun: this.#begun };
  }

  /** A visit of its own, once there is a place for it. */
  async begin(site: Site, caller: string, signal: CallSignal): Promise<OpenVisit> {
    if (this.#turns.isFull) this.#wakeOldest();
    const leavePlace = await whileWaiting(signal, (waiting) => this.#turns.take(caller, waiting));
    let used = false;
    try {
      const using = this.#process.use();
      const browser = await unlessAborted(signal, using).catch((error: unknown) => {
        // The browser goes on to start: others may need it.
        using.then(
          () => this.#process.leave(),
          () => undefined,
        );
        throw error;
      });
      used = true;
      while (this.#closing.size >= this.#contexts) await Promise.race(this.#closing);
      signal.throwIfAborted();
      const context = await this.#contextOf(browser, site);
      this.#begun += 1;
      const visit = await this.#visitIn(context, site);
      return { visit, platform: site.platform, begunAt: this.#clock.now(), leavePlace };
    } catch (error) {
      if (used) this.#process.leave();
      leavePlace();
      throw error;
    }
  }

  /** A new context. A browser that gives none in time stands still, and is killed. */
  async #contextOf(browser: Browser, site: Site): Promise<BrowserContext> {
    const inTime = this.#clock.alarm(beginMs, () => void this.#process.kill());
    try {
      return await browser.newContext({
        serviceWorkers: 'block',
        acceptDownloads: false,
        locale: languageOf(site),
      });
    } finally {
      inTime();
    }
  }

  /**
   * A visit in a new context, which closes where its page does not come. Chromium says nothing of a page whose renderer
   * was killed while it was made, even when its context closes (Chromium 156, 2026-11).
   */
  async #visitIn(context: BrowserContext, site: Site): Promise<Visit> {
    let inTime = () => {};
    const late = new Promise<never>((_, reject) => {
      inTime = this.#clock.alarm(beginMs, () => reject(new Error('It was not there in time.')));
    });
    try {
      return await Promise.race([Visit.begin(context, site, this.#limits, this.#otherHosts(site)), late]);
    } catch (cause) {
      await this.#putAway(context);
      // No platform has been asked yet, so that whatever failed is the browser's.
      throw new BrowserGone('The page of the visit did not come.', { cause });
    } finally {
      inTime();
    }
  }

  /** Takes up a visit that rests where that address is the next one, if there is one. */
  async resume(site: Site, address: string): Promise<OpenVisit | undefined> {
    const found = this.#resting.find(
      ({ platform, visit }) => platform === site.platform && visit.goesOnWith(address),
    );
    if (found === undefined) return undefined;
    this.#unrest(found);
    try {
      await this.#process.use();
      return found;
    } catch (error) {
      void this.#close(found);
      throw error;
    }
  }

  /**
   * Lets a visit rest, unless its place is wanted. A list that is read on (`isReadOn`) keeps its place even then, so
   * that it is not gone through from its beginning for each part. A resting visit keeps no program from its end.
   */
  async rest(open: OpenVisit, isReadOn: boolean): Promise<void> {
    const now = this.#clock.now();
    const isKept = isReadOn && now - open.begunAt < maxVisitMs;
    if (this.#turns.isAwaited && !isKept) return this.end(open);
    const resting: Resting = { ...open, keptUntil: isKept ? now + keptMs : now, stop: () => {} };
    const wakeLater = () => {
      resting.stop = this.#clock.alarm(restMs, () => this.#wake(resting), false);
    };
    if (isKept) {
      const isOver = () => (this.#turns.isAwaited ? this.#wake(resting) : wakeLater());
      resting.stop = this.#clock.alarm(keptMs, isOver, false);
    } else wakeLater();
    this.#resting.push(resting);
    this.#process.leave();
  }

  /** Ends a visit. Its place goes to the next one at once, while the browser puts away what it held. */
  async end(open: OpenVisit): Promise<void> {
    try {
      await this.#close(open);
    } finally {
      this.#process.leave();
    }
  }

  #close({ visit, leavePlace }: OpenVisit): Promise<void> {
    const closing = this.#putAway(visit);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
    leavePlace();
    return closing;
  }

  async #putAway(visit: Pick<Visit, 'close'>): Promise<void> {
    const inTime = this.#clock.alarm(closeMs, () => void this.#process.kill());
    try {
      await visit.close();
    } catch {
      // The browser is gone, and the context with it.
    } finally {
      inTime();
    }
  }

  /** Ends the visits that rest. */
  async close(): Promise<void> {
    const resting = [...this.#resting];
    for (const one of resting) this.#unrest(one);
    await Promise.all(resting.map((one) => this.#close(one)));
  }

  #wakeOldest(): void {
    const now = this.#clock.now();
    const oldest = this.#resting.find(({ keptUntil }) => keptUntil <= now);
    if (oldest !== undefined) this.#wake(oldest);
  }

  #wake(resting: Resting): void {
    this.#unrest(resting);
    void this.#close(resting);
  }

  #unrest(resting: Resting): void {
    resting.stop();
    this.#resting = this.#resting.filter((one) => one !== resting);
  }

  /** The hosts that the browser may reach for other platforms. */
  #otherHosts(site: Site): string[] {
    const siteHosts = new Set(this.#hosts.get(site.platform));
    return [...this.#hosts.values()].flat().filter((host) => !siteHosts.has(host));
  }
}
