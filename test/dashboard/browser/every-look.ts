import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/chromium.js';

/** Looks and sizes that pages are held against; 320 is the narrowest phone there is. */
const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 800, 320].map((width) => ({ colorScheme, width })),
);
const usual = { width: 1280, height: 800 };

/** Holds the page, as it stands, against `assertAccessible` in light and dark, wide and narrow. */
export async function assertEveryLook(page: Page): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ ...usual, width });
    await assertAccessible(page);
  }
  await page.setViewportSize(usual);
}
