import type { Request, Response } from 'playwright-core';
import { ExtractError } from '../../errors/extract-error.js';
import type { Page } from '../page-source.js';
import { documentError } from './faults.js';
import {
  bodyOf,
  isAway,
  isRedirect,
  ledAway,
  type OpenPage,
  pageFrom,
  pathOf,
  rendered,
} from './open-page.js';
import { Patience } from './patience.js';
import { holdsOne } from './sent-request.js';
import { untilSettled } from './settling.js';
import { isWall, passWalls } from './walls.js';

/** The interstitial of a page was passed and led elsewhere, so the page must be opened again. */
export class LedElsewhere extends Error {
  override readonly name = 'LedElsewhere';
}

const isMissing = (status: number) => status === 404 || status === 410;

/** True for the opened address, and for the platform's own redirects from it. */
function wasRequested(document: Response, url: string): boolean {
  for (let request: Request | null = document.request(); request !== null; ) {
    if (pathOf(request.url()) === pathOf(url)) return true;
    request = request.redirectedFrom();
  }
  return false;
}

/** Returns the response of the newest document that is not a redirect. */
async function newest({ watch, limits }: OpenPage, url: string): Promise<Response> {
  const find = () => watch.documents.findLast((one) => !isRedirect(one.status()));
  await watch.until(() => find() !== undefined, limits.documentMs, limits.documentMs);
  const document = find() ?? watch.documents.at(-1);
  if (document === undefined) throw documentError('no document came', url);
  return document;
}

/** True for a document that scripts or a refresh may replace. */
const mayChange = ({ body }: Page) => holdsOne({ body }, ['<script', '<SCRIPT', 'http-equiv', 'HTTP-EQUIV']);

/** Time budget for scripts, shared by all documents of a page, without the time for loading them. */
class ScriptTime {
  #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  get remainingMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  async stopFor<T>(coming: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await coming;
    } finally {
      this.#end += performance.now() - startedAt;
    }
  }
}

/** True once the document that the page is navigating to has arrived, within the usual time. */
const arrives = ({ watch, limits }: OpenPage, isLeft: () => boolean) =>
  watch.until(isLeft, limits.documentMs, limits.documentMs);

/**
 * Waits for the scripts of a document. Returns what they rendered; null if the page moved to another document or
 * rendered nothing.
 */
async function untilComplete(
  open: OpenPage,
  last: Response,
  holds: readonly string[],
  isLeft: () => boolean,
  time: ScriptTime,
  now: number,
): Promise<Page | null> {
  const { watch, limits } = open;
  for (const patience = new Patience(limits); !patience.isOver && time.remainingMs > 0; ) {
    const ms = Math.min(time.remainingMs, limits.gestureMs);
    if (await untilSettled(open, isLeft, ms, patience.take())) return null;
    if (isAway(open)) return null;
    const page = await rendered(open, last, now);
    if (page !== null && holdsOne(page, holds)) return page;
    if (watch.isLeaving) {
      await time.stopFor(arrives(open, isLeft));
      return null;
    }
  }
  return null;
}

/** Declines a question shown before the page. Returns true once the page has moved to another document. */
async function passWall(open: OpenPage, isLeft: () => boolean): Promise<boolean> {
  const { watch, limits } = open;
  await watch.until(() => watch.isLoaded, limits.gestureMs);
  for (const patience = new Patience(limits); !patience.isOver; ) {
    if (await passWalls(open)) {
      if (await untilSettled(open, isLeft, limits.scriptsMs, limits.patienceMs)) return true;
      return watch.isLeaving && arrives(open, isLeft);
    }
    if (await untilSettled(open, isLeft, limits.gestureMs, patience.take())) return true;
  }
  return false;
}

/** The document to open, and the strings that identify it. */
interface OpenDocument {
  readonly url: string;
  /** A complete document contains one of them. */
  readonly holds: readonly string[];
  /** True if it is opened again after an interstitial led elsewhere. */
  readonly again: boolean;
}

/**
 * Returns the newest document of the opened page, waiting until it contains one of the strings. Throws `LedElsewhere`
 * if an interstitial led elsewhere or lost the fragment of the address.
 */
export async function completeDocument(
  open: OpenPage,
  { url, holds, again }: OpenDocument,
  now: number,
): Promise<Page> {
  const { watch, limits } = open;
  const time = new ScriptTime(limits.scriptsMs);
  let passedWall = false;
  for (;;) {
    const last = await time.stopFor(newest(open, url));
    // Read before any wait, during which scripts may navigate.
    const count = watch.documents.length;
    const isLeft = () => watch.documents.length > count;
    const body = await time.stopFor(bodyOf(open, last));
    const served = pageFrom(open, last, body ?? new Uint8Array(), now);
    if (isWall(open, last.url())) {
      if (passedWall || !(await passWall(open, isLeft))) return served;
      passedWall = true;
      continue;
    }
    if (isMissing(served.status)) {
      if (wasRequested(last, url)) return served;
      throw new ExtractError('platform_blocked', 'The page redirected to another URL, which has no content.');
    }
    const hasLedElsewhere = holds.length > 0 && !wasRequested(last, url);
    const hasLostFragment = passedWall && url.includes('#') && !open.page.url().includes('#');
    if (!again && served.status === 200 && (hasLedElsewhere || hasLostFragment)) throw new LedElsewhere();
    if (body !== null && holdsOne(served, holds)) return served;
    if (served.status === 429 || (body !== null && !mayChange(served))) return served;
    const document = await untilComplete(open, last, holds, isLeft, time, now);
    if (document !== null) return document;
    if (isLeft()) continue;
    watch.checkNetwork();
    if (body !== null) return served;
    if (isAway(open)) throw ledAway();
    // If the browser discarded the served document, the rendered one is used.
    const page = await rendered(open, last, now);
    if (page !== null) return page;
    throw new ExtractError('platform_timeout', 'The page redirected again, and no document arrived in time.');
  }
}
