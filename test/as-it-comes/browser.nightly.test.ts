import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { casesOf } from '../../lib/samples.js';
import { routeSource } from '../../lib/web/routes.js';
import { type Answers, noBrowser, type SiteAnswer } from '../support/browser-site.js';
import { pagesOf } from '../support/cases.js';
import { fixturesOf } from '../support/fixtures.js';
import { type Exchange, noting, recordedSite } from '../support/recorded-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { medianGap, serveSite } from './harness.js';

const endpointAt = (name: string) => endpoints.find(({ path }) => path === name) as unknown as Endpoint;

/** Serves an endpoint's sample as a site whose pages make their own requests. */
async function sampleSite(endpoint: Endpoint): Promise<{ answers: Answers; args: string[] }> {
  const [sample] = await casesOf(endpoint);
  assert.ok(sample !== undefined);
  const exchanges: Exchange[] = [];
  await pagesOf(endpoint, sample, noting(routeSource(fixturesOf(endpoint), sample.pages), exchanges));
  const args = Object.entries(sample.params).flatMap(([name, value]) => [
    `--${name.replaceAll('_', '-')}`,
    String(value),
  ]);
  return { answers: recordedSite(exchanges), args };
}

const shell = '<!doctype html><title>A platform</title><div id="root"></div>';
const refusals = {
  'a shell': { body: shell },
  'status 429': { status: 429, body: 'Too many requests' },
  'status 403': { status: 403, body: 'Forbidden' },
  'status 999': { status: 999, body: 'Request denied' },
  'an empty body': { body: '' },
} as const satisfies Record<string, SiteAnswer>;
type Refusal = keyof typeof refusals;

/** How plain requests are refused, by endpoint. */
const cases: readonly (readonly [endpoint: string, refusal: Refusal, args?: readonly string[]])[] = [
  ['maps/places', 'status 429'],
  ['maps/reviews', 'status 403'],
  ['pronetwork/posts', 'status 999'],
  ['photosocial/posts', 'a shell'],
  ['shortvideo/profile', 'a shell'],
  ['shortvideo/comments', 'an empty body', ['--id', videoId]],
  ['shortvideo/videos', 'an empty body', ['--username', 'baker']],
];

describe('a browser, with every setting as it comes', { skip: noBrowser, concurrency: 3 }, () => {
  for (const [name, refusal, args] of cases) {
    test(`answers ${name} in the call whose plain requests met ${refusal}`, async () => {
      const endpoint = endpointAt(name);
      const sample = args === undefined ? await sampleSite(endpoint) : { answers: shortvideoSite(), args };
      const { extract, plain } = await serveSite((request) =>
        request.browsed ? sample.answers(request) : refusals[refusal],
      );
      const { status, out, err } = await extract(name, sample.args);
      assert.equal(status, 0, err);
      const { data, meta } = JSON.parse(out);
      assert.ok(!endpoint.many || data.length > 0);
      assert.ok(meta.credits_charged > 0);
      assert.ok(plain().length > 0, 'plain requests come first');
    });
  }

  test('answers a search of two words, for which the platform keeps no page', async () => {
    const { extract, plain } = await serveSite(shortvideoSite());
    const { status, out, err } = await extract('shortvideo/search', ['--query', 'rye bread']);
    assert.equal(status, 0, err);
    assert.equal(JSON.parse(out).data.length, 12);
    assert.equal(plain().length, 1);
  });

  test('asks for a list at the pace of plain requests, the page’s own pauses counted', async () => {
    const { extract, browsed } = await serveSite(shortvideoSite({ videos: 190 }));
    const { status, out, err } = await extract('shortvideo/videos', ['--username', 'baker', '--all']);
    assert.equal(status, 0, err);
    assert.equal(JSON.parse(out).data.length, 190);
    const parts = browsed().filter(({ path }) => path === '/api/post/item_list/');
    assert.equal(parts.length, 7);
    const gap = medianGap(parts);
    assert.ok(gap > 1_425, `${gap} ms between the parts of a list`);
  });

  test('replaces plain requests during their cool-down, in every process of a home', async () => {
    const page = shortvideoSite();
    const { extract, plain, browsed } = await serveSite((request) =>
      request.browsed ? page(request) : refusals['status 429'],
    );
    assert.equal((await extract('shortvideo/comments', ['--id', videoId])).status, 0);
    const [before, visited] = [plain().length, browsed().length];
    const second = await extract('shortvideo/videos', ['--username', 'baker']);
    assert.equal(second.status, 0, second.err);
    assert.equal(plain().length, before);
    assert.ok(browsed().length > visited);
    // A minute later plain requests come first again.
    assert.equal(
      (await extract('shortvideo/profile', ['--username', 'other'], { aheadMs: 61_000 })).status,
      5,
    );
    assert.ok(plain().length > before);
  });

  test('that is refused, too, is reported in one error, and stops every process of a home', async () => {
    const { extract, plain, browsed } = await serveSite(({ browsed: isBrowsed }) =>
      isBrowsed ? refusals['status 403'] : refusals['status 429'],
    );
    const first = await extract('shortvideo/profile', ['--username', 'baker']);
    assert.equal(first.status, 5);
    const { message } = JSON.parse(first.err).error;
    assert.match(
      message,
      /^The platform limits the rate of requests\. A browser was tried, too: The platform returned HTTP 403 /,
    );
    assert.doesNotMatch(message, /no request was made/);
    const counts = [plain().length, browsed().length];
    assert.ok((counts[0] ?? 0) > 0 && (counts[1] ?? 0) > 0);
    const second = await extract('shortvideo/profile', ['--username', 'baker']);
    assert.equal(second.status, 5);
    assert.match(
      second.err,
      /shortvideo\/page refused at .*shortvideo in a browser refused at .*no request was made/s,
    );
    assert.deepEqual([plain().length, browsed().length], counts);
    await extract('shortvideo/profile', ['--username', 'baker'], { aheadMs: 61_000 });
    assert.ok(plain().length > (counts[0] ?? 0) && browsed().length > (counts[1] ?? 0));
  });

  test('is not contacted before the time that the platform names', async () => {
    const { extract, plain, browsed } = await serveSite(() => ({
      ...refusals['status 429'],
      headers: { 'retry-after': '40' },
    }));
    const { status, err } = await extract('shortvideo/profile', ['--username', 'baker']);
    assert.equal(status, 5);
    assert.match(
      err,
      /platform_rate_limited.*shortvideo in a browser.* gets the next request in (40|39|38) s/s,
    );
    const again = await extract('shortvideo/profile', ['--username', 'baker']);
    assert.match(again.err, /no request was made/);
    assert.deepEqual([plain().length, browsed().length], [2, 0], 'the page and its embed');
  });
});
