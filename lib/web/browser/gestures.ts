import type { Frame, Locator } from 'playwright-core';
import { isOnSite } from '../redirects.js';
import { closeByPosition, moreByPosition } from './by-position.js';
import { hostOf, type OpenPage } from './open-page.js';

/** The page's main frame, and the platform's frames in it. */
function siteFrames({ page, site }: OpenPage): Frame[] {
  const isOfSite = (url: string) => /^about:/.test(url) || isOnSite(hostOf(url), site.hosts);
  return page.frames().filter((frame) => frame === page.mainFrame() || isOfSite(frame.url()));
}

/** Resolves to undefined if the frame was detached or the page is navigating away. */
async function unlessDetached<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (/context was destroyed|was detached|navigat/i.test(String(error))) return undefined;
    throw error;
  });
}

type Pressable = Pick<Locator, 'click'>;

/**
 * Clicks what `find` returns in the first frame that has it. Returns false if no frame has it, or if it does not accept
 * the click in time.
 */
function pressElement(open: OpenPage, find: (frame: Frame) => Promise<Pressable | null>): Promise<boolean> {
  const { watch, limits } = open;
  const pressing = async () => {
    for (const frame of siteFrames(open)) {
      const target = (await unlessDetached(find(frame))) ?? null;
      if (target === null) continue;
      try {
        return (await unlessDetached(target.click({ timeout: limits.gestureMs }).then(() => true))) === true;
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') return false;
        // The page has removed the element.
        if (/not attached|was detached/i.test(String(error))) return false;
        throw error;
      }
    }
    return false;
  };
  return watch.race(pressing(), limits.gestureMs * 2, 'a gesture');
}

export const press = (open: OpenPage, selector: string): Promise<boolean> =>
  pressElement(open, async (frame) => {
    const target = frame.locator(selector).filter({ visible: true }).first();
    return (await target.isVisible()) ? target : null;
  });

/** Words of the "more" controls. Links to another page do not count. */
const moreWords =
  ':is(button, [role="button"], a:not([href]), a[href^="#"], a[rel~="next"]):text-matches("^\\s*((see|show|load|view) (more|all)\\b|next\\s*$)", "i")';

/** Clicks the "more" control, found by its words or, if `byPosition`, by its position after the list. */
export async function pressMore(open: OpenPage, byPosition: boolean): Promise<boolean> {
  if (await press(open, moreWords)) return true;
  if (!byPosition) return false;
  return pressElement(open, async (frame) =>
    (await frame.evaluateHandle<unknown>(`(${moreByPosition})()`)).asElement(),
  );
}

/** Dismisses an overlay that a visitor could dismiss. */
export async function closePrompt(open: OpenPage): Promise<boolean> {
  let isOver = false;
  const pressed = await pressElement(open, async (frame) => {
    const button = await frame.evaluateHandle<unknown>(`(${closeByPosition})()`);
    isOver ||= (await button.jsonValue()) === 'escape';
    return button.asElement();
  });
  if (!pressed && isOver) await open.page.keyboard.press('Escape');
  return pressed;
}

/**
 * Runs in a frame: scrolls the selected element, or else everything that scrolls, to its end. Returns what moved, and
 * the centre of the largest scrollable element. A string, because compiler helpers do not exist there.
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
    // A step back comes first. A list that loads more when its end comes into view does not react if the end is
    // already visible.
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

/** Pixels to turn the wheel when nothing scrolled. */
const wheelPixels = 5_000;

/**
 * Scrolls the selected element, or everything that scrolls, to its end. If nothing moves, turns the wheel over the
 * largest element, because some pages implement scrolling themselves.
 */
export function scrollToEnd(open: OpenPage, selector: string): Promise<void> {
  const { page, watch, limits } = open;
  const scrolling = async () => {
    let hasMoved = false;
    let over = { x: 0, y: 0 };
    for (const frame of siteFrames(open)) {
      const script = `(${toEnds})(${JSON.stringify(selector)})`;
      const ends = await unlessDetached(frame.evaluate<{ moved: boolean; x: number; y: number }>(script));
      if (frame === page.mainFrame() && ends !== undefined) over = ends;
      hasMoved ||= ends?.moved === true;
    }
    if (hasMoved) return;
    await page.mouse.move(over.x, over.y);
    await page.mouse.wheel(0, wheelPixels);
  };
  return watch.race(scrolling(), limits.gestureMs, 'scrolling');
}
