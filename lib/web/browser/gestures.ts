import type { Page } from 'playwright-core';

/** Milliseconds for what is pressed to show itself, and then to take the press: a slow machine takes its time for that. */
interface PressTimeouts {
  readonly appearMs: number;
  readonly pressMs: number;
}

/** Presses the first visible element of a selector; false where none comes in time. */
export async function pressFirst(
  page: Page,
  selector: string,
  { appearMs, pressMs }: PressTimeouts,
): Promise<boolean> {
  const target = page.locator(selector).filter({ visible: true }).first();
  try {
    await target.waitFor({ timeout: appearMs });
    await target.click({ timeout: pressMs });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return false;
    throw error;
  }
}

/** Run in the page: scrolls a part of it, or the whole, to its end. A text, as no compiler's helpers are there. */
const toEnd = `(selector) => {
  const named = selector === 'page' ? null : document.querySelector(selector);
  const part = named || document.scrollingElement || document.documentElement;
  // A step back first: a list that waits for its end to come into view notices nothing where it already is.
  part.scrollTop = Math.max(0, part.scrollTop - 200);
  part.scrollTop = part.scrollHeight;
}`;

/** Scrolls to the end of the page, or of the part of it that a selector names. */
export async function scrollToEnd(page: Page, selector: string): Promise<void> {
  await page.evaluate(`(${toEnd})(${JSON.stringify(selector)})`);
}

/** Resolves once the page's scripts have time to spare, or after some seconds where they never have. */
export async function whenIdle(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 3000 }))');
}
