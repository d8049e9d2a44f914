// Slow: `npm run test:browser`. Measures what many visits leave behind, and what many concurrent calls cost.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { site as shortvideo } from '../../../lib/platforms/shortvideo/site.js';
import { browserLoad, browsersOf, callsAtOnce, manyPages, siteApart } from '../../support/browser-load.js';
import { browserSite, noBrowser, siteByBrowser } from '../../support/browser-site.js';
import { heldBytes } from '../../support/held-memory.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a browser over hundreds of visits', { skip: noBrowser }, () => {
  const folder = temporaryFolder();

  test('two hundred concurrent calls share it, two at a time, and all end', async (t) => {
    const site = await browserSite(t, folder, manyPages);
    const source = siteByBrowser(t, site);
    assert.deepEqual(await callsAtOnce(source, 200), { statuses: [200], most: 2 });
    assert.equal(source.counts.started, 200);
    assert.equal(browsersOf(process.pid).length, 1);
  });

  test('does not grow over two hundred visits', {
    skip: !existsSync('/proc/self/smaps_rollup'),
  }, async (t) => {
    const site = await siteApart();
    t.after(() => site.end());
    const source = siteByBrowser(t, site);
    let at = 0;
    const visits = async (count: number) => {
      for (let index = 0; index < count; index += 2) {
        await Promise.all(
          [0, 1].map(async () => {
            at += 1;
            const session = source.open(shortvideo);
            const page = `https://www.tiktok.com/page/${at}`;
            const { body } = await session.fetch({ url: page });
            const pageRequest = { page, paths: ['/api/list'] };
            await session.fetch({ url: 'https://www.tiktok.com/api/list', browser: { pageRequest } });
            session.end();
            assert.ok(body.byteLength > 200_000);
          }),
        );
      }
      // Lets the last pages finish closing.
      await sleep(1000);
      return {
        ...browserLoad(process.pid),
        own: readdirSync('/proc/self/fd').length,
        heldMb: Math.round((await heldBytes()) / 1024 ** 2),
      };
    };
    const early = await visits(40);
    // While pages are open the browser takes the most; what this process takes has its own line.
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, browserLoad(process.pid).mb);
    }, 1000);
    const late = await visits(160);
    clearInterval(watch);
    t.diagnostic(
      `${JSON.stringify(early)} after 40 visits, ${JSON.stringify(late)} after 200, at most ${peak} MB of the browser`,
    );
    assert.ok(late.processes <= early.processes + 1);
    assert.ok(late.descriptors <= early.descriptors * 1.1 + 10);
    assert.ok(late.own <= early.own + 5);
    assert.ok(late.mb <= early.mb * 1.1 + 20);
    assert.ok(late.heldMb <= early.heldMb * 1.1 + 10);
    assert.ok(peak <= 700);
  });
});
