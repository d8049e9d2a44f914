import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Services } from '../../lib/call/call.js';
import type { OpenServices } from '../../lib/services.js';
import { page } from '../../lib/web/page.js';
import type { PageSource, SessionOptions } from '../../lib/web/page-source.js';
import { savePages } from '../../lib/web/save-pages.js';
import { wrapFetches } from '../../lib/web/wrap-fetches.js';
import { reportingServices } from '../../src/faces/mcp/progress.js';
import { tracedServices } from '../../src/service/tracing/traced-services.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface OpenedSession {
  readonly by: string;
  readonly options: SessionOptions | undefined;
  ended?: readonly [error: unknown, goesOn: boolean | undefined];
}

/** A source with a browser fallback, and the sessions that it opened. */
function sourceWithBrowser() {
  const opened: OpenedSession[] = [];
  const sourceOf = (by: string, runsPages: boolean): PageSource => ({
    open(_site, _signal, options) {
      const session: OpenedSession = { by, options };
      opened.push(session);
      return {
        runsPages,
        fetch: async ({ url }) => page(url, 200, {}, Buffer.from(by)),
        cookie: (_url, name) => `${name} of ${by}`,
        end(error, goesOn) {
          session.ended = [error, goesOn];
        },
      };
    },
    close: async () => undefined,
  });
  const browser = sourceOf('browser', true);
  const source: PageSource = {
    ...sourceOf('network', false),
    browser: { when: 'refused', source: async () => browser },
  };
  return { source, opened };
}

/** The browser's pages of a source that is said to have one. */
async function browserOf({ browser }: PageSource): Promise<PageSource> {
  assert.ok(browser !== undefined && browser.when === 'refused');
  return browser.source();
}

const site = testSite();
const request = { url: 'https://a.example/page' };

test('wrapped fetches leave the rest of the source unchanged, including its browser', async () => {
  const { source, opened } = sourceWithBrowser();
  const requests: string[] = [];
  const wrapped = wrapFetches(source, (fetch, { site, runsPages }) => async (request) => {
    requests.push(`${site.platform} ${runsPages} ${request.url}`);
    return fetch(request);
  });
  for (const [by, one] of [
    ['network', wrapped],
    ['browser', await browserOf(wrapped)],
  ] as const) {
    const session = one.open(site, undefined, { caller: 'ann', continues: true });
    assert.equal(session.runsPages, by === 'browser');
    assert.equal((await session.fetch(request)).text(), by);
    assert.equal(session.cookie(request.url, 'name'), `name of ${by}`);
    session.end(undefined, true);
    const expected: OpenedSession = {
      by,
      options: { caller: 'ann', continues: true },
      ended: [undefined, true],
    };
    assert.deepEqual(opened.at(-1), expected);
  }
  assert.deepEqual(
    requests,
    [false, true].map((runs) => `${site.platform} ${runs} ${request.url}`),
  );
});

test('observed, saved and queued pages keep the browser fallback', async () => {
  const { source } = sourceWithBrowser();
  const services = { pages: async () => source, ledger: {}, sample: async () => ({}) };
  const span = (_name: string, _attributes: object, work: () => Promise<unknown>) => work();
  const ways: Readonly<Record<string, PageSource>> = {
    saved: savePages(source, temporaryFolder()),
    traced: await tracedServices(services as unknown as OpenServices, span as never).pages(),
    reported: await reportingServices(services as unknown as Services, () => undefined).pages(),
  };
  for (const [name, way] of Object.entries(ways)) {
    const session = (await browserOf(way)).open(testSite());
    assert.equal(session.runsPages, true, name);
    assert.equal((await session.fetch(request)).text(), 'browser', name);
  }
});
