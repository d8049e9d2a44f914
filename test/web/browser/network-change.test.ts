import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import type { Page as BrowserPage } from 'playwright-core';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { BrowserSession } from '../../../lib/web/browser/browser-session.js';
import { BrowserClosed, documentError } from '../../../lib/web/browser/faults.js';
import { visitLimits } from '../../../lib/web/browser/limits.js';
import { PageWatch } from '../../../lib/web/browser/page-watch.js';
import type { Visits } from '../../../lib/web/browser/visits.js';
import { page } from '../../../lib/web/page.js';
import { stoppedClock } from '../../support/cases.js';
import { throttleOf } from '../../support/throttle.js';

const url = 'https://www.tiktok.com/@a';
/** The browser's words where an interface came or went while it connected (Chromium 156, 2026-11). */
const changed = () => documentError(new Error(`page.goto: net::ERR_NETWORK_CHANGED at ${url}`), url);

/** Returns the result of a session whose visits open the page one after the other, and their number. */
async function visited(...opens: (() => Promise<ReturnType<typeof page>>)[]) {
  const throttle = throttleOf({ page: { ms: 0, concurrency: 1 } });
  let count = 0;
  let ended = 0;
  const slept: number[] = [];
  const clock = { ...stoppedClock, sleep: async (ms: number) => void slept.push(ms) };
  const visits = {
    async begin() {
      const open = opens[count];
      count += 1;
      return { visit: { url: null, open, takeBytes: () => 0, abandon() {} } };
    },
    async end() {
      ended += 1;
    },
  } as unknown as Visits;
  const access = { visits, clock, throttle: throttle.open('browser') };
  const session = new BrowserSession(access, site, undefined, {});
  try {
    const answer = await session.fetch({ url });
    session.end();
    return { text: answer.text(), begun: count, ended, slept };
  } catch (error) {
    session.end(error);
    return { error, begun: count, ended, slept };
  }
}

const fullPage = async () => page(url, 200, {}, Buffer.from('whole'));
const rejecting = (error: unknown) => async () => {
  throw error;
};

describe('a visit during which the network of the computer changes', () => {
  test('is repeated once, when the changes are over', async () => {
    const expected = { text: 'whole', begun: 2, ended: 2, slept: [2000] };
    assert.deepEqual(await visited(rejecting(changed()), fullPage), expected);
  });

  test('fails with a clear error if it changes again, which is not a refusal', async () => {
    const { error, begun } = await visited(rejecting(changed()), rejecting(changed()));
    assert.ok(error instanceof ExtractError);
    assert.deepEqual([error.code, begun], ['platform_unavailable', 2]);
    assert.match(error.message, /network of this computer changed/);
  });

  test('is tried twice in all, whatever ends the first', async () => {
    const crash = new BrowserClosed('The page crashed.');
    const first = await visited(rejecting(crash), rejecting(changed()));
    assert.equal((first.error as ExtractError).code, 'platform_unavailable');
    const second = await visited(rejecting(changed()), rejecting(crash));
    assert.equal((second.error as ExtractError).code, 'platform_timeout');
    assert.deepEqual([first.begun, second.begun], [2, 2]);
  });

  test('is not repeated for a lasting failure', async () => {
    for (const words of ['net::ERR_INTERNET_DISCONNECTED', 'net::ERR_NAME_NOT_RESOLVED']) {
      const { error, begun } = await visited(rejecting(documentError(new Error(words), url)));
      assert.deepEqual([(error as ExtractError).code, begun], ['platform_unavailable', 1]);
    }
  });
});

describe('a page whose parts fail to load because the network changes', () => {
  const requestOf = (type: string, words: string) => ({
    url: () => 'https://lf16.ttwstatic.com/app.js',
    postData: () => null,
    resourceType: () => type,
    isNavigationRequest: () => false,
    failure: () => ({ errorText: words }),
  });

  test('is incomplete, whichever part is missing, until another page is opened', () => {
    for (const type of ['script', 'xhr', 'fetch', 'stylesheet']) {
      const events = new EventEmitter();
      const watch = new PageWatch(events as unknown as BrowserPage, visitLimits);
      events.emit('requestfailed', requestOf(type, 'net::ERR_ABORTED'));
      watch.checkNetwork();
      events.emit('requestfailed', requestOf(type, 'net::ERR_NETWORK_CHANGED'));
      assert.throws(() => watch.checkNetwork(), { code: 'platform_unavailable' });
      watch.leavePage();
      watch.checkNetwork();
    }
  });
});
