import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Cookie } from 'tough-cookie';
import { launch } from './chromium.js';

/** Milliseconds to wait for a page to reach the expected state. */
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
    // Pages may be served with a 4xx status on purpose.
    if (line.type() === 'error' && !/status of 4\d\d/.test(line.text())) faults.push(line.text());
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  return { context, page: await context.newPage(), faults };
}

/** Cookies of the browser in process, for a server that listens. */
export function cookiesAt(base: string, cookies: readonly Cookie[]) {
  return cookies.map(({ key, value }) => ({ name: key, value, url: base }));
}
