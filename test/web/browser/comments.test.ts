import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getShortvideoComments } from '../../../lib/endpoints.js';
import { browserSite, noBrowser, siteByBrowser } from '../../support/browser-site.js';
import { pagesOf } from '../../support/cases.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../../support/shortvideo-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { endpoint: comments } = getShortvideoComments;

test('a list that is refused without the page’s token comes page by page to its end', {
  skip: noBrowser,
}, async (t) => {
  const site = await browserSite(t, temporaryFolder(), shortvideoSite);
  const pages = siteByBrowser(t, site);
  const answers = (await pagesOf(comments, { params: { id: videoId } } as never, pages)) as {
    id: string;
  }[][];
  assert.deepEqual(
    answers.map((one) => one.length),
    [20, 20, 15],
  );
  assert.equal(new Set(answers.flat().map(({ id }) => id)).size, commentsOfVideo);
});
