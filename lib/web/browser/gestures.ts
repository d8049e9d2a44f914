import type { Frame, Locator } from 'playwright-core';
import { isOnSite } from '../redirects.js';
import { closeByPosition, moreByPosition } from './by-position.js';
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

/** Something that can be pressed. */
type Pressable = Pick<Locator, 'click'>;

/** Presses what is found in the first frame that has it; false where none has, or where it takes no press in time. */
function pressFound(open: OpenPage, find: (frame: Frame) => Promise<Pressable | null>): Promise<boolean> {
  const { watch, limits } = open;
  const pressing = async () => {
    for (const frame of ownFrames(open)) {
      const target = (await unlessGone(find(frame))) ?? null;
      if (target === null) continue;
      try {
        return (await unlessGone(target.click({ timeout: limits.gestureMs }).then(() => true))) === true;
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') return false;
        // What the page has taken away meanwhile takes no press.
        if (/not attached|was detached/i.test(String(error))) return false;
        throw error;
      }
    }
    return false;
  };
  return watch.race(pressing(), limits.gestureMs * 2, 'a gesture');
}

/** Presses the first visible element of a selector. */
export const press = (open: OpenPage, selector: string): Promise<boolean> =>
  pressFound(open, async (frame) => {
    const target = frame.locator(selector).filter({ visible: true }).first();
    return (await target.isVisible()) ? target : null;
  });

/** What is pressed for more, where its words tell. A link that leads to another page is none. */
const moreWords =
  ':is(button, [role="button"], a:not([href]), a[href^="#"], a[rel~="next"]):text-matches("^\\s*((see|show|load|view) (more|all)\\b|next\\s*$)", "i")';

/** Presses what a visitor presses for more: by its words, or where `byPosition`, by its place behind the list. */
export async function pressMore(open: OpenPage, byPosition: boolean): Promise<boolean> {
  if (await press(open, moreWords)) return true;
  if (!byPosition) return false;
  return pressFound(open, async (frame) =>
    (await frame.evaluateHandle<unknown>(`(${moreByPosition})()`)).asElement(),
  );
}

/** Closes what stands over the page and can be closed, as a visitor does. */
export async function closePrompt(open: OpenPage): Promise<boolean> {
  let isOver = false;
  const pressed = await pressFound(open, async (frame) => {
    const found = await frame.evaluateHandle<unknown>(`(${closeByPosition})()`);
    isOver ||= (await found.jsonValue()) === 'escape';
    return found.asElement();
  });
  if (!pressed && isOver) await open.page.keyboard.press('Escape');
  return pressed;
}

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
