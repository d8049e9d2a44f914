import type { Page } from 'playwright-core';
import type { OpenPage } from './open-page.js';

/** Resolves once the page's scripts are idle, or after some seconds if they never are. */
async function whenIdle(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 3000 }))');
}

/**
 * Waits until a condition holds or the page is at rest: nothing pending, and its scripts idle. So a slow machine is not
 * mistaken for the end of a list.
 */
export async function untilSettled(
  { page, watch, limits }: OpenPage,
  isThere: () => boolean,
  ms: number,
  quietMs = limits.quietMs,
): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    const remainingMs = end - performance.now();
    if (await watch.until(isThere, Math.max(0, remainingMs), quietMs)) return true;
    const before = watch.activity;
    if (performance.now() >= end) return false;
    await watch.race(whenIdle(page), ms, 'the page').catch((error: unknown) => {
      // A page that is navigating away has no scripts to wait for.
      if (!watch.isLeaving && !/context was destroyed|navigat/i.test(String(error))) throw error;
    });
    if (isThere()) return true;
    if (watch.activity === before) return false;
  }
}
