import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBrowserConfig } from '../../../lib/config-browser.js';
import { site as shortvideo } from '../../../lib/platforms/shortvideo/site.js';
import { BrowserProcess } from '../../../lib/web/browser/browser-process.js';
import { findBrowser } from '../../../lib/web/browser/find.js';
import {
  argumentsBelow,
  browsersOf,
  callsAtOnce,
  descendantsOf,
  manyPages,
} from '../../support/browser-load.js';
import { browserSite, noBrowser, siteByBrowser } from '../../support/browser-site.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = 'https://www.tiktok.com';
const list = {
  url: `${home}/api/list`,
  browser: { pageRequest: { page: `${home}/list`, paths: ['/api/list'] } },
};

/** Browsers of earlier tests and files of this process, which may still be shutting down. */
let others: ReadonlySet<number>;
const browsers = () => browsersOf(process.pid).filter((pid) => !others.has(pid));

describe('the browser', { skip: noBrowser }, () => {
  const folder = temporaryFolder();
  beforeEach(() => {
    others = new Set(browsersOf(process.pid));
  });

  test('is shared by many calls, two at a time, which all end', async (t) => {
    const site = await browserSite(t, folder, manyPages);
    const source = siteByBrowser(t, site);
    assert.deepEqual(await callsAtOnce(source, 16), { statuses: [200], most: 2 });
    assert.equal(source.counts.started, 16);
    assert.equal(browsers().length, 1);
  });

  test('opens no page besides the visit’s, and disables its driver’s extras', async (t) => {
    const site = await browserSite(t, folder, ({ path }) =>
      path === '/api/list' ? { hang: true } : { body: "<script>fetch('/api/list')</script>" },
    );
    const source = siteByBrowser(t, site);
    const session = source.open(shortvideo);
    const answer = session.fetch(list);
    answer.catch(() => undefined);
    while (!site.requests.some((one) => one.includes('/api/list'))) await sleep(20);
    const [browser] = browsers();
    assert.ok(browser !== undefined);
    const all = argumentsBelow(browser);
    assert.ok(all.some((one) => one.includes('--type=renderer')));
    assert.deepEqual(
      all.filter((one) => one.includes('--top-chrome-webui')),
      [],
    );
    const args = all.find((one) => one.includes('--remote-debugging-pipe')) ?? '';
    const lists = [...args.matchAll(/--disable-features=(\S+)/g)].map(([, names = '']) => names.split(','));
    const [driver = [], ours = []] = lists;
    assert.ok(driver.includes('PaintHolding') && lists.length === 2);
    assert.deepEqual(
      driver.filter((name) => !ours.includes(name)),
      [],
    );
    await source.close();
    await assert.rejects(answer);
    session.end();
  });

  test('is restarted for a second try of a visit if it is killed', async (t) => {
    let visits = 0;
    const site = await browserSite(t, folder, ({ path }) => {
      if (path === '/list') visits += 1;
      return path === '/api/list'
        ? ({ hang: visits === 1, body: '{"ok":1}' } as never)
        : { body: "<script>fetch('/api/list')</script>" };
    });
    const source = siteByBrowser(t, site);
    const session = source.open(shortvideo);
    const answer = session.fetch(list);
    while (!site.requests.some((one) => one.includes('/api/list'))) await sleep(20);
    for (const pid of browsers()) process.kill(pid, 'SIGKILL');
    assert.equal((await answer).text(), '{"ok":1}');
    session.end();
    assert.equal(visits, 2);
  });

  test('requests pages in the language of plain requests', async (t) => {
    const browser = findBrowser(readBrowserConfig(process.env));
    const file = path.join(folder, 'german');
    writeFileSync(file, `#!/bin/sh\nexec "${browser.path}" --accept-lang=de-DE,de "$@"\n`, { mode: 0o755 });
    const languages: unknown[] = [];
    const site = await browserSite(t, folder, (request) => {
      languages.push(request.headers['accept-language']);
      return manyPages(request);
    });
    const session = siteByBrowser(t, site, { path: file }).open(shortvideo);
    await session.fetch(list);
    session.end();
    assert.deepEqual(languages, ['en', 'en']);
  });

  test('is killed if it hangs between two visits, and the next visit starts another', async (t) => {
    const site = await browserSite(t, folder, manyPages);
    const clock = new FakeClock();
    const source = siteByBrowser(t, site, { clock });
    const visit = async () => {
      const session = source.open(shortvideo);
      const { status } = await session.fetch({ url: `${home}/page` });
      session.end();
      return status;
    };
    assert.equal(await visit(), 200);
    // All of its processes, because a stopped one does not notice that the first has exited.
    const stopped = browsers().flatMap((pid) => [pid, ...descendantsOf(pid)]);
    assert.ok(stopped.length > 2);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const alarms = clock.slept.length;
    const second = visit();
    while (clock.slept.length === alarms) await sleep(5);
    await clock.advance(10_000);
    assert.equal(await second, 200);
    const isThere = (pid: number) =>
      existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;
    while (stopped.some(isThere)) await sleep(20);
  });

  test('exits after five idle minutes, and starts again when needed', async (t) => {
    const chromium = findBrowser(readBrowserConfig(process.env));
    if (chromium.path === null) throw new Error(chromium.missing);
    const clock = new FakeClock();
    const program = {
      path: chromium.path,
      sandbox: chromium.sandbox,
      headed: false,
      proxy: null,
      arguments: async () => [],
    };
    const browser = new BrowserProcess(program, clock, 300_000);
    t.after(() => browser.close());
    const before = browsers().length;
    await browser.use();
    browser.leave();
    await clock.advance(299_000);
    assert.equal(browsers().length, before + 1);
    await browser.use();
    await clock.advance(400_000);
    assert.equal(browsers().length, before + 1);
    browser.leave();
    await clock.advance(301_000);
    for (let tries = 0; browsers().length > before && tries < 200; tries += 1) await sleep(50);
    assert.equal(browsers().length, before);
    await browser.use();
    assert.equal(browsers().length, before + 1);
    browser.leave();
  });
});
