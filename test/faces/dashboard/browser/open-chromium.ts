import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Cookie } from 'tough-cookie';
import { launch } from './chromium.js';

/** Milliseconds after which a page that does not become what it must is given up. */
const timeoutMs = 30_000;

export interface OpenChromium {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What pages complained of: errors of scripts, things that the policy forbade. */
  readonly faults: string[];
}

/** A browser of the test's own, with nothing kept from before. */
export async function openChromium(
  t: { after(done: () => Promise<void>): void },
  options: BrowserContextOptions = {},
): Promise<OpenChromium> {
  const browser = await launch();
  t.after(() => browser.close());
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeoutMs);
  const faults: string[] = [];
  context.on('console', (line) => {
    // That a page is answered with a status of its own is no fault of it.
    if (line.type() === 'error' && !/status of 4\d\d/.test(line.text())) faults.push(line.text());
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  return { context, page: await context.newPage(), faults };
}

/** Cookies of the browser in process, for a server that listens. */
export function cookiesAt(base: string, cookies: readonly Cookie[]) {
  return cookies.map(({ key, value }) => ({ name: key, value, url: base }));
}
