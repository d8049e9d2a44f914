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
import { settled } from './settling.js';
import { isWall, passWalls } from './walls.js';

/** The interstitial of a page was passed and led elsewhere: the page is to be opened once more. */
export class LedElsewhere extends Error {
  override readonly name = 'LedElsewhere';
}

const isMissing = (status: number) => status === 404 || status === 410;

/** True for the address that was opened, and for where the platform itself redirects it. */
function wasAskedFor(document: Response, url: string): boolean {
  for (let request: Request | null = document.request(); request !== null; ) {
    if (pathOf(request.url()) === pathOf(url)) return true;
    request = request.redirectedFrom();
  }
  return false;
}

/** The answer of the newest document that is no redirect. */
async function newest({ watch, limits }: OpenPage, url: string): Promise<Response> {
  const find = () => watch.documents.findLast((one) => !isRedirect(one.status()));
  await watch.until(() => find() !== undefined, limits.documentMs, limits.documentMs);
  const found = find() ?? watch.documents.at(-1);
  if (found === undefined) throw documentError('no document came', url);
  return found;
}

/** True for a document that may become another one by itself. */
const mayChange = ({ body }: Page) => holdsOne({ body }, ['<script', '<SCRIPT', 'http-equiv', 'HTTP-EQUIV']);

/** The time of a page's scripts, all its documents together. What a document takes to come does not count. */
class ScriptTime {
  #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  get remainingMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  async stopFor<T>(coming: Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await coming;
    } finally {
      this.#end += performance.now() - begun;
    }
  }
}

/** True once the document has come that a page is on its way to, which has the time of any other document. */
const arrives = ({ watch, limits }: OpenPage, isLeft: () => boolean) =>
  watch.until(isLeft, limits.documentMs, limits.documentMs);

/**
 * Waits for the scripts of a document. Gives what they made of it, or null once it has led on to another document, or
 * made nothing of it.
 */
async function becomesWhole(
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
    if (await settled(open, isLeft, ms, patience.take())) return null;
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

/** Declines a question that is asked before the page. True once the page has led on to another document. */
async function passWall(open: OpenPage, isLeft: () => boolean): Promise<boolean> {
  const { watch, limits } = open;
  await watch.until(() => watch.isLoaded, limits.gestureMs);
  for (const patience = new Patience(limits); !patience.isOver; ) {
    if (await passWalls(open)) {
      if (await settled(open, isLeft, limits.scriptsMs, limits.patienceMs)) return true;
      return watch.isLeaving && arrives(open, isLeft);
    }
    if (await settled(open, isLeft, limits.gestureMs, patience.take())) return true;
  }
  return false;
}

/** The document to open, and the marks by which it is known. */
interface Opened {
  readonly url: string;
  /** Texts of which a whole document holds one. */
  readonly holds: readonly string[];
  /** True where it is opened once more, after what stood before it led elsewhere. */
  readonly again: boolean;
}

/**
 * The newest document of the page that was opened, waited for until it holds one of the texts. Throws `LedElsewhere`
 * where what stood before it did that, or has lost the fragment of the address.
 */
export async function wholeDocument(
  open: OpenPage,
  { url, holds, again }: Opened,
  now: number,
): Promise<Page> {
  const { watch, limits } = open;
  const time = new ScriptTime(limits.scriptsMs);
  let passedWall = false;
  for (;;) {
    const last = await time.stopFor(newest(open, url));
    // Before anything is waited for: its scripts may lead on to another document meanwhile.
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
      if (wasAskedFor(last, url)) return served;
      throw new ExtractError('platform_blocked', 'The page led to another URL, where there is nothing.');
    }
    const hasLedElsewhere = holds.length > 0 && !wasAskedFor(last, url);
    const hasLostFragment = passedWall && url.includes('#') && !open.page.url().includes('#');
    if (!again && served.status === 200 && (hasLedElsewhere || hasLostFragment)) throw new LedElsewhere();
    if (body !== null && holdsOne(served, holds)) return served;
    if (served.status === 429 || (body !== null && !mayChange(served))) return served;
    const whole = await becomesWhole(open, last, holds, isLeft, time, now);
    if (whole !== null) return whole;
    if (isLeft()) continue;
    watch.checkNetwork();
    if (body !== null) return served;
    if (isAway(open)) throw ledAway();
    // Where the browser let go of what was served, what stands there now is what there is.
    const page = await rendered(open, last, now);
    if (page !== null) return page;
    throw new ExtractError('platform_timeout', 'The page leads on, and no document came in time.');
  }
}
