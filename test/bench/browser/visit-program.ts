// Opens pages one way, two at a time, and measures that. `ours`: the product. `bare`: a loop over playwright-core that
// does the same. `crawlee`: PlaywrightCrawler as it comes, with a context a page as ours. `crawlee-alike`: the same
// without what ours leaves out. Pages that share one profile cost half: they share its cache, and its cookies.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { readBrowserConfig } from '../../../lib/config-browser.js';
import { site as shortvideo } from '../../../lib/platforms/shortvideo/site.js';
import { findBrowser } from '../../../lib/web/browser/find.js';
import { pinsOf } from '../../../lib/web/browser/launch-arguments.js';
import { browserLoad, ownMb } from '../../support/browser-load.js';
import { siteByBrowser } from '../../support/browser-site.js';

const [, , way = '', count = '0', settings = ''] = process.argv;
const { proxyUrl, caFile } = JSON.parse(settings) as { proxyUrl: string; caFile: string };
const found = findBrowser(readBrowserConfig(process.env));
if (found.path === null) throw new Error(found.missing);
const executablePath = found.path;
const home = 'https://www.tiktok.com';
const addresses = Array.from({ length: Number(count) }, (_, at) => `${home}/page/${at}`);
const hosts = new Set<string>(shortvideo.hosts);

const endings: (() => unknown)[] = [];
let peak = 0;
const sample = () => {
  peak = Math.max(peak, browserLoad(process.pid).mb + ownMb());
};

const args = [`--ignore-certificate-errors-spki-list=${pinsOf(readFileSync(caFile, 'utf8')).join(',')}`];
const launchOptions = { executablePath, args, proxy: { server: proxyUrl } };

async function restrict(page: Page): Promise<void> {
  await page.route('**/*', (route) => {
    const request = route.request();
    const isWanted =
      !['image', 'media', 'font'].includes(request.resourceType()) &&
      hosts.has(new URL(request.url()).hostname);
    return isWanted ? route.continue() : route.abort();
  });
}

/** Two at a time. */
async function each(visit: (address: string) => Promise<void>): Promise<void> {
  const left = [...addresses];
  await Promise.all(
    [0, 1].map(async () => {
      for (let address = left.shift(); address !== undefined; address = left.shift()) await visit(address);
    }),
  );
}

async function ours(): Promise<void> {
  const site = { proxyUrl, caFile, env: {}, requests: [], tunnels: [] };
  const source = siteByBrowser({ after: (done) => endings.push(done) }, site);
  await each(async (address) => {
    const session = source.open(shortvideo);
    const page = await session.fetch({ url: address });
    const pageRequest = { page: address, paths: ['/api/list'] };
    const list = await session.fetch({ url: `${home}/api/list`, browser: { pageRequest: pageRequest } });
    if (page.body.length < 200_000 || list.body.length < 5000) throw new Error('not the page');
    session.end();
  });
}

async function bareVisit(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false });
  const page = await context.newPage();
  // A loaded machine is no fault of the way.
  page.setDefaultTimeout(180_000);
  await restrict(page);
  const [answer, response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes('/api/list'), { timeout: 180_000 }),
    page.goto(address, { waitUntil: 'commit' }),
  ]);
  if (((await response?.body())?.length ?? 0) < 200_000) throw new Error('not the page');
  if ((await answer.body()).length < 5000) throw new Error('not the list');
  await context.close();
}

async function bare(): Promise<void> {
  const browser = await chromium.launch(launchOptions);
  endings.push(() => browser.close());
  await each((address) => bareVisit(browser, address));
}

/** `alike`: with the settings that make it do what ours does, in place of its own. */
async function crawlee(alike: boolean): Promise<void> {
  const require = createRequire(path.join(import.meta.dirname, 'package.json'));
  const library = await import(pathToFileURL(require.resolve('@crawlee/playwright')).href);
  const { PlaywrightCrawler, Configuration } = library;
  const waiting = new WeakMap<Page, Promise<import('playwright-core').Response>>();
  const storage = mkdtempSync(path.join(tmpdir(), 'crawlee-'));
  endings.push(() => rmSync(storage, { recursive: true, force: true }));
  const crawler = new PlaywrightCrawler(
    {
      launchContext: { launcher: chromium, launchOptions, useIncognitoPages: true },
      ...(alike ? { minConcurrency: 2 } : {}),
      maxConcurrency: 2,
      preNavigationHooks: [
        async ({ page }: { page: Page }, options: { waitUntil?: string }) => {
          if (alike) {
            await restrict(page);
            options.waitUntil = 'commit';
          }
          waiting.set(
            page,
            page.waitForResponse((one) => one.url().includes('/api/list'), { timeout: 180_000 }),
          );
        },
      ],
      async requestHandler({ page, response }: { page: Page; response: import('playwright-core').Response }) {
        if ((await response.body()).length < 200_000) throw new Error('not the page');
        const answer = await waiting.get(page);
        if (((await answer?.body())?.length ?? 0) < 5000) throw new Error('not the list');
      },
    },
    new Configuration({
      logLevel: 'ERROR',
      ...(alike ? { persistStorage: false } : { storageClientOptions: { localDataDirectory: storage } }),
    }),
  );
  const { requestsFinished } = await crawler.run(addresses);
  if (requestsFinished !== addresses.length)
    throw new Error(`${requestsFinished} of ${addresses.length} pages`);
}

const ways: Readonly<Record<string, () => Promise<void>>> = {
  ours,
  bare,
  crawlee: () => crawlee(false),
  'crawlee-alike': () => crawlee(true),
};
const sampling = setInterval(sample, 1000);
const begun = performance.now();
await ways[way]?.();
const ms = performance.now() - begun;
sample();
clearInterval(sampling);
console.log(JSON.stringify({ pages: addresses.length, ms, mb: peak }));
for (const done of endings) await done();
process.exit();
