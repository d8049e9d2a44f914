import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import type { BrowserSource } from '../../../lib/web/browser/browser-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import {
  type Answers,
  always,
  browserSite,
  noBrowser,
  sharedByFile,
  siteByBrowser,
} from '../../support/browser-site.js';
import { capturedCasesOf } from '../../support/captured-cases.js';
import { pagesOf } from '../../support/cases.js';
import { fixturesOf } from '../../support/fixtures.js';
import { type Exchange, noting, recordedSite } from '../../support/recorded-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A browser gets other lists than plain requests do; these have their own tests. */
const otherLists = ['shortvideo/videos', 'shortvideo/search'];
/** Bytes as they came: the tests' site sends them by this charset. */
const most = 3;

/** True if a page could have made these exchanges: each request once, with one answer. */
function areOfPages(exchanges: readonly Exchange[]): boolean {
  const bodies = new Map<string, string>();
  for (const { request, page } of exchanges) {
    const [key, text] = [`${request.url} ${request.body ?? ''}`, page.text()];
    if ((bodies.get(key) ?? text) !== text) return false;
    bodies.set(key, text);
  }
  return exchanges.every(
    ({ request }) => request.method !== 'POST' || request.browser?.pageRequest !== undefined,
  );
}

describe('a case reads the same by a browser as plainly', { skip: noBrowser }, () => {
  let answers: Answers = () => undefined;
  let source: BrowserSource;
  const folder = temporaryFolder();
  const shared = sharedByFile();
  before(async () => {
    const site = await browserSite(shared, folder, (request) => answers(request));
    source = siteByBrowser(shared, site);
  });

  for (const endpoint of endpoints.filter(({ path }) => !otherLists.includes(path))) {
    test(endpoint.path, async (t) => {
      const [sample] = await casesOf(endpoint);
      const captured = capturedCasesOf(endpoint).map((one) => ({ one, pages: one.open() }));
      const cases = [
        ...(sample === undefined
          ? []
          : [{ one: sample, pages: routeSource(fixturesOf(endpoint), sample.pages) }]),
        ...captured,
      ];
      let count = 0;
      for (const { one, pages } of cases) {
        const exchanges: Exchange[] = [];
        const plain = await pagesOf(endpoint, one, noting(pages, exchanges), most).catch(
          (error: unknown) => error,
        );
        if (plain instanceof Error || !areOfPages(exchanges)) continue;
        answers = recordedSite(exchanges);
        const browsed = await pagesOf(endpoint, one, always(source), most);
        assert.deepEqual(browsed, plain, one.name);
        count += 1;
      }
      assert.ok(count > 0, 'no case was read');
      t.diagnostic(`${count} of ${cases.length} cases`);
    });
  }
});
