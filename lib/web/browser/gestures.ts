import type { Frame } from 'playwright-core';
import { isOnSite } from '../redirects.js';
import { hostOf, type OpenPage } from './open-page.js';

/** The page and the frames within it that are the platform's own. */
function ownFrames({ page, site }: OpenPage): Frame[] {
  const isOwn = (url: string) => /^about:/.test(url) || isOnSite(hostOf(url), site.hosts);
  return page.frames().filter((frame) => frame === page.mainFrame() || isOwn(frame.url()));
}

/** The value of a frame; undefined for one that went away meanwhile, or whose page is being left. */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (/context was destroyed|was detached|navigat/i.test(String(error))) return undefined;
    throw error;
  });
}

/** Presses the first visible element of a selector; false where there is none, or where it takes no press in time. */
export function press(open: OpenPage, selector: string): Promise<boolean> {
  const { watch, limits } = open;
  const pressing = async () => {
    for (const frame of ownFrames(open)) {
      const target = frame.locator(selector).filter({ visible: true }).first();
      if ((await unlessGone(target.isVisible())) !== true) continue;
      try {
        return (await unlessGone(target.click({ timeout: limits.gestureMs }).then(() => true))) === true;
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') return false;
        throw error;
      }
    }
    return false;
  };
  return watch.race(pressing(), limits.gestureMs * 2, 'a gesture');
}

/** The button that a visitor presses for more, where scrolling does not continue a page. */
export const moreButton = ':is(button, [role="button"]):text-matches("^\\s*(see|show|load|view) more", "i")';

/**
 * Run in a frame: scrolls the part that is named, else all that scrolls, to its end. Gives what moved, and the middle
 * of the largest part. A text, as no compiler's helpers are there.
 */
const toEnds = `(selector) => {
  const scrolls = (one) => one.scrollHeight > one.clientHeight + 1;
  const isPart = (one) => scrolls(one) && one.clientHeight >= 100 && one.clientWidth >= 100 &&
    one.localName !== 'textarea' && /auto|scroll|overlay/.test(getComputedStyle(one).overflowY) && one.checkVisibility();
  const named = selector === 'page' ? null : document.querySelector(selector);
  const whole = document.scrollingElement || document.documentElement;
  const parts = named && scrolls(named)
    ? [named]
    : [whole, ...[...document.querySelectorAll('body, body *')].filter((one) => one !== whole && isPart(one))];
  let moved = false;
  let largest = { area: 0, x: innerWidth / 2, y: innerHeight / 2 };
  for (const part of parts) {
    const before = part.scrollTop;
    // A step back comes first. A list that waits for its end to come into view notices nothing where it already is.
    part.scrollTop = Math.max(0, part.scrollTop - 200);
    part.scrollTop = part.scrollHeight;
    moved ||= part.scrollTop !== before;
    const { left, top, width, height } = part.getBoundingClientRect();
    if (part !== whole && width * height > largest.area) {
      largest = { area: width * height, x: left + width / 2, y: top + height / 2 };
    }
  }
  return { moved, x: largest.x, y: largest.y };
}`;

/** Pixels by which the wheel is turned where nothing moves by itself. */
const wheelPixels = 5_000;

/**
 * Scrolls to the end of the part that a selector names, or of all that scrolls. Where nothing moves by that, the wheel
 * is turned over the largest part: some pages move their lists by themselves.
 */
export function scrollToEnd(open: OpenPage, selector: string): Promise<void> {
  const { page, watch, limits } = open;
  const scrolling = async () => {
    let moved = false;
    let over = { x: 0, y: 0 };
    for (const frame of ownFrames(open)) {
      const script = `(${toEnds})(${JSON.stringify(selector)})`;
      const ends = await unlessGone(frame.evaluate<{ moved: boolean; x: number; y: number }>(script));
      if (frame === page.mainFrame() && ends !== undefined) over = ends;
      moved ||= ends?.moved === true;
    }
    if (moved) return;
    await page.mouse.move(over.x, over.y);
    await page.mouse.wheel(0, wheelPixels);
  };
  return watch.race(scrolling(), limits.gestureMs, 'scrolling');
}
