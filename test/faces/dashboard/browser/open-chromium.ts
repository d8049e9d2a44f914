import assert from 'node:assert/strict';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import type { Cookie } from 'tough-cookie';
import { readBrowserConfig } from '../../../../lib/config-browser.js';
import { findBrowser } from '../../../../lib/web/browser/find.js';
import { withoutFeatures } from '../../../../lib/web/browser/launch-arguments.js';

const { path: executablePath, ...found } = findBrowser(readBrowserConfig(process.env));

/** Why browser tests are skipped; false if they can run. */
export const skip = executablePath === null && 'missing' in found ? found.missing : false;

const args = ['--no-sandbox', withoutFeatures, '--disable-gpu', '--disable-quic', '--no-first-run'];
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** Milliseconds to wait for a page to reach the expected state. */
const timeoutMs = 30_000;

/** A browser of the test's own, with nothing kept from before, and what its pages complained of. */
export async function openChromium(
  t: { after(done: () => Promise<void>): void },
  options: BrowserContextOptions = {},
) {
  assert.ok(executablePath);
  const browser = await chromium.launch({ executablePath, args: [...args, ...quiet] });
  t.after(() => browser.close());
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeoutMs);
  /** Errors of scripts, things that the policy forbade. */
  const faults: string[] = [];
  context.on('console', (line) => {
    // Pages may be served with a 4xx status on purpose.
    if (line.type() === 'error' && !/status of 4\d\d/.test(line.text())) faults.push(line.text());
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  return { browser, context, page: await context.newPage(), faults };
}

/** Cookies of the browser in process, for a server that listens. */
export function cookiesAt(base: string, cookies: readonly Cookie[]) {
  return cookies.map(({ key, value }) => ({ name: key, value, url: base }));
}
