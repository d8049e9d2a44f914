import type { Browser, BrowserContext } from 'playwright-core';
import { type CallSignal, unlessAborted, whileWaiting } from '../../runtime/abort.js';
import type { Clock } from '../../runtime/clock.js';
import type { Site } from '../page-source.js';
import type { BrowserProcess } from './browser-process.js';
import { FairSlots } from './fair-slots.js';
import { BrowserClosed } from './faults.js';
import type { VisitLimits } from './limits.js';
import { Visit } from './visit.js';

/** Milliseconds that a visit in the middle of a list waits for a request of the next part. */
const restMs = 60_000;
/** Milliseconds that its slot is reserved while a list is being read and others wait. */
const reservedMs = 10_000;
/** Maximum milliseconds of a visit to one list if others are waiting. */
const maxVisitMs = 5 * 60_000;
/** Milliseconds for the browser to create a context, and then for its page. */
const beginMs = 10_000;
/** Milliseconds for a context to close before the browser is killed. */
const closeMs = 10_000;

/** The language of plain requests. A browser would use the system's, whose labels the readers may not recognise. */
const languageOf = ({ headers }: Site) => /^[\w-]+/.exec(headers['accept-language'] ?? '')?.[0] ?? 'en';

export interface OpenVisit {
  readonly visit: Visit;
  readonly platform: string;
  readonly startedAt: number;
  releaseSlot(): void;
}

interface Resting extends OpenVisit {
  /** Its slot is reserved until then. */
  readonly reservedUntil: number;
  stop: () => void;
}

/** The current counts, for monitoring. */
export interface VisitCounts {
  /** Visits in progress. */
  readonly open: number;
  /** Visits since the start. */
  readonly started: number;
}

/**
 * The visits of one browser: a limited number at a time, callers in turn. A visit that stops in the middle of a list
 * stays open for a while, so that the next part needs no scrolling from the start. It closes if its slot is needed.
 */
export class Visits {
  readonly #process: BrowserProcess;
  readonly #turns: FairSlots;
  readonly #limits: VisitLimits;
  readonly #clock: Clock;
  /** All hosts that the browser may reach, by platform. */
  readonly #hosts: ReadonlyMap<string, readonly string[]>;
  readonly #contexts: number;
  #resting: Resting[] = [];
  /** Visits being closed, at most as many as there are slots. */
  readonly #closing = new Set<Promise<void>>();
  #startedCount = 0;

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
    this.#turns = new FairSlots(options.contexts);
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#hosts = options.hosts;
  }

  get counts(): VisitCounts {
    return { open: this.#turns.taken - this.#resting.length, started: this.#startedCount };
  }

  async begin(site: Site, caller: string, signal: CallSignal): Promise<OpenVisit> {
    if (this.#turns.isFull) this.#wakeOldest();
    const releaseSlot = await whileWaiting(signal, (abort) => this.#turns.take(caller, abort));
    let isUsed = false;
    try {
      const using = this.#process.use();
      const browser = await unlessAborted(signal, using).catch((error: unknown) => {
        // The browser continues to start, because other visits may need it.
        using.then(
          () => this.#process.leave(),
          () => undefined,
        );
        throw error;
      });
      isUsed = true;
      while (this.#closing.size >= this.#contexts) await Promise.race(this.#closing);
      signal.throwIfAborted();
      const context = await this.#contextOf(browser, site);
      this.#startedCount += 1;
      const visit = await this.#visitIn(context, site);
      return { visit, platform: site.platform, startedAt: this.#clock.now(), releaseSlot };
    } catch (error) {
      if (isUsed) this.#process.leave();
      releaseSlot();
      throw error;
    }
  }

  /** Creates a context. A browser that does not respond in time hangs, and is killed. */
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
   * Opens a visit in a new context, which is closed if its page never appears. If a renderer is killed while its page
   * is created, Chromium reports nothing, even when the context closes (Chromium 156, 2026-11).
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
      // No platform has been contacted yet, so the browser is at fault.
      throw new BrowserClosed('The page of the visit did not come.', { cause });
    } finally {
      inTime();
    }
  }

  /** Resumes an idle visit for which this address is next, if there is one. */
  async resume(site: Site, address: string): Promise<OpenVisit | undefined> {
    const resting = this.#resting.find(
      ({ platform, visit }) => platform === site.platform && visit.continuesWith(address),
    );
    if (resting === undefined) return undefined;
    this.#unrest(resting);
    try {
      await this.#process.use();
      return resting;
    } catch (error) {
      void this.#close(resting);
      throw error;
    }
  }

  /**
   * Leaves a visit idle, unless its slot is needed. A list that is still being read (`isReadOn`) keeps its slot even
   * then, so that it is not scrolled from the start for each part. An idle visit does not keep the process alive.
   */
  async rest(open: OpenVisit, isReadOn: boolean): Promise<void> {
    const now = this.#clock.now();
    const keepsSlot = isReadOn && now - open.startedAt < maxVisitMs;
    if (this.#turns.isAwaited && !keepsSlot) return this.end(open);
    const resting: Resting = { ...open, reservedUntil: keepsSlot ? now + reservedMs : now, stop: () => {} };
    const wakeLater = () => {
      resting.stop = this.#clock.alarm(restMs, () => this.#wake(resting), false);
    };
    if (keepsSlot) {
      const isOver = () => (this.#turns.isAwaited ? this.#wake(resting) : wakeLater());
      resting.stop = this.#clock.alarm(reservedMs, isOver, false);
    } else wakeLater();
    this.#resting.push(resting);
    this.#process.leave();
  }

  /** Ends a visit. Its slot is free immediately, while the browser disposes of the context. */
  async end(open: OpenVisit): Promise<void> {
    try {
      await this.#close(open);
    } finally {
      this.#process.leave();
    }
  }

  #close({ visit, releaseSlot }: OpenVisit): Promise<void> {
    const closing = this.#putAway(visit);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
    releaseSlot();
    return closing;
  }

  async #putAway(visit: Pick<Visit, 'close'>): Promise<void> {
    const inTime = this.#clock.alarm(closeMs, () => void this.#process.kill());
    try {
      await visit.close();
    } catch {
      // The browser has ended, and the context with it.
    } finally {
      inTime();
    }
  }

  async close(): Promise<void> {
    const resting = [...this.#resting];
    for (const one of resting) this.#unrest(one);
    await Promise.all(resting.map((one) => this.#close(one)));
  }

  #wakeOldest(): void {
    const now = this.#clock.now();
    const oldest = this.#resting.find(({ reservedUntil }) => reservedUntil <= now);
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

  #otherHosts(site: Site): string[] {
    const siteHosts = new Set(this.#hosts.get(site.platform));
    return [...this.#hosts.values()].flat().filter((host) => !siteHosts.has(host));
  }
}
