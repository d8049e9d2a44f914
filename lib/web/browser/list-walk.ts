import { ExtractError } from '../../errors/extract-error.js';
import type { Page, PageRequestByScript } from '../page-source.js';
import { PositionLost } from '../page-source.js';
import { BrowserClosed } from './faults.js';
import { closePrompt, press, pressMore, scrollToEnd } from './gestures.js';
import { bodyOf, type OpenPage, pageFrom } from './open-page.js';
import type { PageAnswer } from './page-watch.js';
import { Patience } from './patience.js';
import { holdsOne, isExpectedPart, isLaterPart, isOfKind } from './sent-request.js';
import { untilSettled } from './settling.js';
import { passWalls } from './walls.js';

/** Waits for a slot in the platform's pace. */
export type TakeTurn = () => Promise<void>;

/** Maximum repetitions of a request after a server error, as for plain requests. */
const maxRetries = 2;

/** Walks one list of an open page, part by part, like a visitor. */
export class ListWalk {
  readonly #open: OpenPage;
  /** Buttons to press, in order, before the list appears. */
  #openers: readonly string[];
  #from = 0;
  #hasAnswered = false;
  /** Slots of the platform's pace used by its requests. */
  #turns = 0;

  constructor(open: OpenPage, { gestures = {} }: PageRequestByScript) {
    this.#open = open;
    this.#openers = gestures.open ?? [];
  }

  /**
   * Returns the answer that matches a page request once the page has received it. `takeTurn` waits for a slot in the
   * platform's pace; each request of the page takes one, and so does each gesture.
   */
  async answer(pageRequest: PageRequestByScript, now: number, takeTurn: TakeTurn): Promise<Page> {
    const { watch, limits } = this.#open;
    let firstPart: Page | undefined;
    let part = await this.#find(pageRequest, takeTurn);
    if (part === undefined) throw this.#notFound(pageRequest);
    for (const parts: PageAnswer[] = []; part !== undefined; ) {
      const body = await bodyOf(this.#open, part.response);
      if (body === null) throw new BrowserClosed('The browser no longer keeps the answer.');
      firstPart = pageFrom(this.#open, part.response, body, now);
      const isFault = firstPart.status >= 500;
      if (
        isFault ? parts.length === maxRetries : firstPart.status !== 200 || !isEmpty(firstPart, pageRequest)
      )
        break;
      // A page may request the same part again, alone or because the visitor scrolled.
      parts.push(part);
      if (isFault) {
        await takeTurn();
        await this.#loadMore(pageRequest, false);
      }
      const again = () => this.#expectedParts(pageRequest).find((one) => !parts.includes(one));
      await untilSettled(this.#open, () => again() !== undefined, limits.scriptsMs, limits.gestureMs);
      part = again();
    }
    watch.check();
    this.#hasAnswered = true;
    return firstPart as Page;
  }

  #notFound(pageRequest: PageRequestByScript): Error {
    const isOthersThere = this.#answersOf(pageRequest).length > 0;
    if (pageRequest.from !== undefined && !this.#hasAnswered && isOthersThere) return new PositionLost();
    const fault = this.#open.watch.faultOf((request) => isOfKind(request, pageRequest));
    if (fault !== null) return fault;
    this.#open.watch.checkNetwork();
    // The page shows the earlier parts, so withholding the rest from visitors is no refusal of this client.
    return isOthersThere && pageRequest.from !== undefined
      ? new ExtractError(
          'platform_restricted',
          'The page shows visitors no more of the list, which continues.',
        )
      : new ExtractError(
          'platform_blocked',
          'The page did not load this, as it would for visitors who can see it.',
        );
  }

  #answersOf(pageRequest: PageRequestByScript): PageAnswer[] {
    return this.#open.watch.answers.slice(this.#from).filter((one) => isOfKind(one, pageRequest));
  }

  #expectedParts(pageRequest: PageRequestByScript): PageAnswer[] {
    return this.#answersOf(pageRequest).filter((one) => isExpectedPart(one, pageRequest));
  }

  async #find(pageRequest: PageRequestByScript, takeTurn: TakeTurn): Promise<PageAnswer | undefined> {
    const { watch, limits } = this.#open;
    const { gestures = {} } = pageRequest;
    const expectedPart = () => this.#expectedParts(pageRequest)[0];
    const isThere = () => expectedPart() !== undefined;
    const count = () => this.#answersOf(pageRequest).length;
    // A button that restarts the list is pressed before anything counts.
    if (gestures.restarts === true && this.#openers.length > 0) {
      await watch.until(() => watch.isLoaded, limits.scriptsMs);
    } else await untilSettled(this.#open, isThere, limits.scriptsMs);
    const patience = new Patience(limits);
    let wasIdle = false;
    for (let attempt = 0; !isThere() && !patience.isOver; attempt += 1) {
      await this.#checkBeginning(pageRequest);
      if (isThere()) break;
      if (attempt === limits.gestures) {
        throw new ExtractError(
          'platform_changed',
          `The list still continues after it was scrolled ${attempt} times.`,
        );
      }
      const before = count();
      for (; this.#turns <= before; this.#turns += 1) await takeTurn();
      // Declines the platform's consent dialog and closes any overlay, unless the overlay contains the list.
      if (!(await passWalls(this.#open))) await closePrompt(this.#open);
      const hasOpened = await this.#pressOpener(pageRequest);
      if (!hasOpened) await this.#loadMore(pageRequest, wasIdle);
      const came = await untilSettled(this.#open, () => count() > before, limits.gestureMs, patience.take());
      if (came || hasOpened) patience.renew();
      wasIdle = !came && !hasOpened;
      // The next gesture starts from the end of what is rendered, so the page gets time to render.
      if (came && !isThere()) await watch.until(() => false, limits.gestureMs, limits.showMs);
    }
    return expectedPart();
  }

  /** Refuses a list that the page starts on its own: its requests continue from there and omit the first part. */
  async #checkBeginning(pageRequest: PageRequestByScript): Promise<void> {
    if (pageRequest.from !== undefined) return;
    if (!this.#answersOf(pageRequest).some((one) => isLaterPart(one, pageRequest))) return;
    // The first part may still be in transit.
    const isThere = () => this.#expectedParts(pageRequest).length > 0;
    if (await untilSettled(this.#open, isThere, this.#open.limits.scriptsMs)) return;
    throw new ExtractError(
      'platform_changed',
      'The page embeds the first part of the list and only requests the rest, so its beginning cannot be read.',
    );
  }

  /** Presses the control that opens the list once it can be pressed. A visible list needs none. */
  async #pressOpener(pageRequest: PageRequestByScript): Promise<boolean> {
    const [next, ...rest] = this.#openers;
    const restarts = pageRequest.gestures?.restarts === true;
    if (next === undefined || (!restarts && this.#answersOf(pageRequest).length > 0)) return false;
    const from = this.#open.watch.answers.length;
    if (!(await press(this.#open, next))) return false;
    this.#openers = rest;
    if (restarts) this.#from = from;
    return true;
  }

  async #loadMore(
    { gestures: { scroll, press: more, restarts: isFresh = false } = {} }: PageRequestByScript,
    wasIdle: boolean,
  ): Promise<void> {
    if (isFresh && this.#openers.length > 0) return;
    if (scroll !== undefined) await scrollToEnd(this.#open, scroll);
    if (more !== undefined && (await press(this.#open, more))) return;
    // Controls found by position alone are pressed only if the list does not continue without them.
    if (scroll === 'page') await pressMore(this.#open, wasIdle);
  }
}

/** True for an answer without items, after which a page may ask once more. */
function isEmpty(answer: Page, { holds = [] }: PageRequestByScript): boolean {
  return answer.body.byteLength === 0 || !holdsOne(answer, holds);
}
