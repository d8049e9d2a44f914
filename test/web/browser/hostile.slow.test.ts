import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { site as shortvideo } from '../../../lib/platforms/shortvideo/site.js';
import type { BrowserSource } from '../../../lib/web/browser/browser-source.js';
import { visitLimits } from '../../../lib/web/browser/limits.js';
import type { PageRequest, PageRequestByScript } from '../../../lib/web/page-source.js';
import { browsersOf, renderersOf } from '../../support/browser-load.js';
import {
  type BrowserSite,
  browserSite,
  noBrowser,
  sharedByFile,
  siteByBrowser,
} from '../../support/browser-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = 'https://www.tiktok.com';
const page = (script: string, body = '') =>
  `<!doctype html><title>t</title><main>WHOLE ${body}</main><script>${script}</script>`;
const list = "fetch('/api/list?at=0')";

/** Pages that misbehave. */
const pages: Readonly<Record<string, { body: string; headers?: Record<string, string> }>> = {
  '/plain': { body: page('') },
  '/spinner': { body: page("setInterval(() => fetch('/api/tick'), 50)") },
  '/windows': { body: page(`open('${home}/popup'); open('https://elsewhere.example/popup'); ${list}`) },
  '/download': { body: page(`location.href = '/file'; setTimeout(() => ${list}, 100)`) },
  '/dialogs': { body: page(`alert('a'); confirm('b'); prompt('c'); onbeforeunload = () => 'd'; ${list}`) },
  '/worker': { body: page(`navigator.serviceWorker.register('/sw.js').catch(() => 0).then(() => ${list})`) },
  '/others': {
    body: page(
      `Promise.allSettled([fetch('https://elsewhere.example/x', { mode: 'no-cors' }), fetch('https://www.linkedin.com/x', { mode: 'no-cors' }), fetch('http://127.0.0.1:9/x', { mode: 'no-cors' })]).then(() => ${list}); new WebSocket('wss://elsewhere.example/socket'); new Image().src = 'https://elsewhere.example/a.png'`,
      '<link rel="preconnect" href="https://elsewhere.example"><link rel="stylesheet" href="https://elsewhere.example/a.css"><iframe src="https://elsewhere.example/frame"></iframe><img src="/a.png"><video src="/a.mp4"></video>',
    ),
  },
  '/leads-to-nothing': { body: page("location.href = '/nothing'") },
  '/to-a-store': { body: page("location.href = 'https://elsewhere.example/app'") },
  '/to-a-program': { body: page("location.href = 'snssdk1233://user'") },
  '/to-nowhere': { body: page("location.href = 'about:blank'") },
  '/asks-to-stay': {
    body: page(`onbeforeunload = () => 'x'; document.body.onclick = () => ${list}`, 'more'),
  },
  '/ends-at-a-login': {
    body: page(
      `addEventListener('scroll', () => { location.href = '/login?x=1'; }); document.body.style.height = '9000px'; ${list}`,
    ),
  },
  '/login': { body: page('') },
  '/led-on': { body: page("location.href = '/led-on?' + Math.random()") },
  // Before its content is read, while it is read, and after that.
  ...Object.fromEntries(
    [150, 320, 500].map((ms) => [
      `/leaves-after-${ms}`,
      { body: page(`setTimeout(() => { location.href = '/never-comes'; }, ${ms})`) },
    ]),
  ),
  '/hangs': { body: page('setTimeout(() => { for (;;); }, 50)') },
  '/many': { body: page("setInterval(() => { for (let i = 0; i < 10; i += 1) fetch('/api/tick'); }, 20)") },
  '/large': { body: page("fetch('/api/large').then((r) => r.arrayBuffer())") },
};

/** Holds this process up, as a machine does that has others to serve. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const listOf = (path: string, more: Partial<PageRequestByScript> = {}): PageRequest => ({
  url: `${home}/api/list`,
  browser: { pageRequest: { page: `${home}${path}`, paths: ['/api/list'], ...more } },
});

const codeOf = (code: string) => (error: unknown) => error instanceof ExtractError && error.code === code;

const limits = {
  ...visitLimits,
  // Its pages never rest: a longer wait would meet the bound of requests first.
  patienceMs: 8_000,
  requests: 400,
  bytes: 2_000_000,
  scriptsMs: 3000,
  bodyMs: 6000,
  gestureMs: 2000,
  gestures: 40,
};

describe('a browser on hostile pages', { skip: noBrowser }, () => {
  let site: BrowserSite;
  let source: BrowserSource;
  /** How often the page of a crash was opened, and up to which time it crashes. */
  let opened = 0;
  let crashes = 0;
  let reloads = 0;
  const folder = temporaryFolder();
  const shared = sharedByFile();

  before(async () => {
    site = await browserSite(shared, folder, ({ path, query }) => {
      if (path === '/endless') {
        return {
          body: page(
            `let at = 0; addEventListener('scroll', () => fetch('/api/list?at=' + ++at)); document.body.style.height = '9000px'; ${list}`,
          ),
        };
      }
      if (path === '/api/list')
        return { headers: { 'content-type': 'application/json' }, body: `{"at":${query.get('at')}}` };
      if (path === '/never-comes') return { hang: true };
      if (path === '/leaves-unread') {
        // Blocks only after navigation has started.
        setTimeout(standStill, 20, 500);
        return { body: page("setTimeout(() => { location.href = '/never-comes'; }, 100)") };
      }
      if (path === '/api/tick') return { body: '1' };
      if (path === '/api/large') return { body: 'x'.repeat(3_000_000) };
      if (path === '/sw.js')
        return {
          headers: { 'content-type': 'text/javascript' },
          body: `onfetch = (e) => e.respondWith(new Response('mine')); fetch('https://elsewhere.example/sw')`,
        };
      if (path === '/file')
        return { headers: { 'content-disposition': 'attachment; filename="a.txt"' }, body: 'file' };
      if (path.startsWith('/refused/')) return { status: Number(path.split('/')[2]) };
      if (path === '/asks-for-a-password')
        return { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: page('') };
      if (path === '/crashes') {
        opened += 1;
        return { body: page(opened > crashes ? list : '') };
      }
      if (path === '/moved-to-nothing') return { status: 302, headers: { location: '/nothing' } };
      if (path === '/gone-when-reloaded') {
        reloads += 1;
        return reloads === 1 ? { body: page('location.reload()') } : undefined;
      }
      if (path === '/off') return { status: 302, headers: { location: 'https://elsewhere.example/login' } };
      return pages[path];
    });
    source = siteByBrowser(shared, site, { limits });
  });

  async function visit(request: PageRequest, by: BrowserSource = source) {
    const session = by.open(shortvideo);
    try {
      const answer = await session.fetch(request);
      session.end();
      return answer;
    } catch (error) {
      session.end(error);
      throw error;
    }
  }

  test('reads a page that never stops sending requests in its current state', async () => {
    const startedAt = performance.now();
    const answer = await visit({ url: `${home}/spinner`, browser: { holds: ['NEVER'] } });
    assert.equal(answer.status, 200);
    assert.match(answer.text(), /WHOLE/);
    await assert.rejects(visit(listOf('/spinner')), codeOf('platform_blocked'));
    assert.ok(performance.now() - startedAt < 60_000);
  });

  for (const path of ['/windows', '/dialogs', '/worker', '/others']) {
    test(`reads the answer of ${path}, and reaches nothing else`, async () => {
      assert.equal((await visit(listOf(path))).text(), '{"at":0}');
      assert.deepEqual(
        site.requests.filter((one) => /elsewhere|popup|linkedin|a\.png|a\.mp4/.test(one)),
        [],
      );
      assert.deepEqual(
        site.tunnels.filter((one) => !one.startsWith('www.tiktok.com')),
        [],
      );
    });
  }

  test('ignores a download, and continues the visit', async () => {
    assert.equal((await visit(listOf('/download'))).text(), '{"at":0}');
  });

  test('stops an endless list in time, and reads its parts in order', async () => {
    const session = source.open(shortvideo);
    const at = (part: number) =>
      listOf('/endless', {
        gestures: { scroll: 'page' },
        ...(part === 0 ? {} : { from: { params: { at: String(part) } } }),
      });
    for (const part of [0, 1, 2, 5]) assert.equal((await session.fetch(at(part))).text(), `{"at":${part}}`);
    await assert.rejects(session.fetch(at(100_000)), codeOf('platform_changed'));
    session.end();
  });

  test('ends a list at a redirect to a login', async () => {
    const session = source.open(shortvideo);
    const scrolled = { gestures: { scroll: 'page' } };
    assert.equal((await session.fetch(listOf('/ends-at-a-login', scrolled))).text(), '{"at":0}');
    const next = await session.fetch(
      listOf('/ends-at-a-login', { ...scrolled, from: { params: { at: '1' } } }),
    );
    session.end();
    assert.equal(new URL(next.url).pathname, '/login');
  });

  test('returns a redirect off the platform without following it', async () => {
    const answer = await visit({ url: `${home}/off` });
    assert.deepEqual([answer.status, answer.headers.location], [302, 'https://elsewhere.example/login']);
  });

  test('leaves a page that redirects, requests or sends without end', async () => {
    await assert.rejects(
      visit({ url: `${home}/led-on`, browser: { holds: ['NEVER'] } }),
      codeOf('platform_changed'),
    );
    await assert.rejects(visit(listOf('/many')), codeOf('platform_changed'));
    await assert.rejects(visit(listOf('/large')), codeOf('platform_changed'));
  });

  test('does not take a linked missing page for the requested one', async () => {
    const led = visit({ url: `${home}/leads-to-nothing`, browser: { holds: ['NEVER'] } });
    await assert.rejects(led, codeOf('platform_blocked'));
    for (const path of ['/nothing', '/moved-to-nothing', '/gone-when-reloaded']) {
      const answer = await visit({ url: `${home}${path}`, browser: { holds: ['NEVER'] } });
      assert.equal(answer.status, 404, path);
    }
  });

  test('ends a page with hanging scripts in time, and continues', async () => {
    await assert.rejects(
      visit(listOf('/hangs', { gestures: { scroll: 'page' } })),
      codeOf('platform_timeout'),
    );
    assert.match((await visit({ url: `${home}/plain` })).text(), /WHOLE/);
  });

  test('leaves a page that asks visitors to stay, in the same visit', async () => {
    const { started: startedBefore } = source.counts;
    const session = source.open(shortvideo);
    assert.equal((await session.fetch(listOf('/asks-to-stay', { gestures: { press: 'main' } }))).status, 200);
    assert.match((await session.fetch({ url: `${home}/plain` })).text(), /WHOLE/);
    session.end();
    assert.equal(source.counts.started, startedBefore + 1);
  });

  test('returns a 401 that asks for a password', async () => {
    const answer = await visit({ url: `${home}/asks-for-a-password` });
    assert.equal(answer.status, 401);
  });

  /** Ends the processes that show pages, as the system does where memory runs out. */
  const crashPages = () => {
    for (const pid of renderersOf(process.pid)) process.kill(pid, 'SIGKILL');
  };

  test('opens a page with a crashed renderer again, in the same browser', async () => {
    await visit({ url: `${home}/plain` });
    [opened, crashes] = [0, 1];
    const browsers = browsersOf(process.pid);
    let isOver = false;
    const answer = visit(listOf('/crashes')).finally(() => {
      isOver = true;
    });
    const crash = async () => {
      while (opened === 0 && !isOver) await sleep(10);
      await sleep(200);
      crashPages();
    };
    await Promise.all([answer, crash()]);
    assert.equal((await answer).text(), '{"at":0}');
    assert.equal(opened, 2);
    assert.deepEqual(browsersOf(process.pid), browsers);
  });

  test('reports a page whose renderer always crashes, and continues', async () => {
    await visit({ url: `${home}/plain` });
    [opened, crashes] = [0, 9];
    const browsers = browsersOf(process.pid);
    // Once per visit, after its page was requested: a renderer killed earlier counts as a breakdown of the browser.
    let crashed = 0;
    const crashing = setInterval(() => {
      if (opened === crashed) return;
      crashed = opened;
      crashPages();
    }, 100);
    await assert
      .rejects(visit(listOf('/crashes')), codeOf('platform_timeout'))
      .finally(() => clearInterval(crashing));
    assert.match((await visit({ url: `${home}/plain` })).text(), /WHOLE/);
    assert.deepEqual(browsersOf(process.pid), browsers);
  });

  test('ends an aborted visit immediately', async () => {
    const abort = new AbortController();
    const session = source.open(shortvideo, abort.signal);
    const waiting = session.fetch(listOf('/spinner'));
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await assert.rejects(waiting, /enough/);
    session.end();
  });
});
