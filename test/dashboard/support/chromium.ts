import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const folders = (process.env.PATH ?? '').split(path.delimiter);

/** The system's Chromium; undefined where there is none. */
const executablePath = folders
  .flatMap((folder) => names.map((name) => path.join(folder, name)))
  .find((file) => existsSync(file));

/** For the options of a test: why it cannot be run here, or false. */
export const withoutChromium =
  executablePath === undefined ? 'There is no Chromium here: install the package “chromium”.' : false;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Milliseconds after which a page that does not become what it must is given up. */
const patience = 30_000;

/** A browser of the test's own, with nothing kept from before; what pages complain of is kept in `complaints`. */
export async function openChromium(
  t: { after(done: () => Promise<void>): void },
  options: BrowserContextOptions = {},
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly complaints: string[] }> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  t.after(() => browser.close());
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return { context, page: await context.newPage(), complaints };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails for a page that people who listen, or do not use a mouse, would be shut out of, or that is too wide. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`);
  assert.deepEqual(told, [], page.url());
  const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(tooWide, false, `${page.url()} is wider than the screen`);
}
