import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { aCoverage } from '../../support/coverage.js';
import { watchedSchedule } from './support/watched-schedule.js';

/** The handle, and the ID of the comment. */
const word = /zebrabaker|7000000000000000001/i;
const endpointAt = (path: string): Endpoint =>
  endpoints.find((one) => one.path === path) ?? assert.fail(path);

/** A platform on which each reading of a profile or a comment counts one more. */
function countingSite(): CallFunction {
  let count = 0;
  return async (endpoint, params, { requestId }) => {
    count += 1;
    const names = endpoint.many ? ['ZebraBaker', 'other'] : [String(params.username)];
    const items = names.map((username) => ({
      username,
      ...(endpoint.many ? { text: `by ${username}`, like_count: count } : { follower_count: count }),
    }));
    const at = `2026-06-0${Math.min(9, count)}T00:00:00.000Z`;
    const sources = names.map((name, place) => ({
      ...{
        id: `700000000000000000${place + 1}`,
        url: `https://www.tiktok.com/@${name}`,
        position: place + 1,
        fetched_at: at,
      },
      author: { id: null, handle: name, name: null, url: null },
    }));
    return {
      ...{
        source: 'platform',
        coverage: aCoverage(),
        json: JSON.stringify(endpoint.many ? items : items[0]),
      },
      sources: JSON.stringify(endpoint.many ? sources.map((one) => ({ ...one, url: null })) : sources),
      meta: {
        ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
        ...{ fetched_at: at, next_cursor: null },
      },
    };
  };
}

/** A schedule that saw the subject in two runs, and all the faces that show what it saw. */
async function scheduleOf(t: TestContext, path: string, text: string, field: string) {
  const ask = countingSite();
  const list = { endpoint: path, text, history: 'true' };
  const {
    all,
    account,
    browser,
    clock,
    id,
    path: page,
    next,
  } = await watchedSchedule(t, list, {
    ask,
    endpoints: [endpointAt(path)],
  });
  await next({});
  const { secret } = await all.accounts.createKey({ account: account.id, name: 'k', platforms: null });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const url = `/v1/schedules/${id}/links`;
  const linkReply = await all.app.inject({ method: 'POST', url, headers, payload: '{"kind":"feed"}' });
  const feeds = (linkReply.json().data.urls as readonly string[]).map((one) => new URL(one).pathname);
  return {
    async suppress(change: 'add' | 'remove') {
      await all.opened.suppressions[change](parseSubject('tiktok:@zebrabaker'));
      await clock.advance(1_000);
    },
    async faces() {
      const changes = await all.app.inject({ url: `/v1/schedules/${id}/changes`, headers });
      const texts = [JSON.stringify(changes.json().data)];
      for (const feed of feeds) texts.push((await all.app.inject({ url: feed })).payload);
      for (const at of [`${page}?what=all`, `${page}?field=${field}`, `${page}/changes.csv?what=all`]) {
        const page = await browser.get(at);
        assert.equal(page.status, 200);
        texts.push(page.$('#content').text() || page.text);
      }
      return texts;
    },
  };
}

describe('what a schedule saw of somebody who is suppressed since', () => {
  for (const [what, path, text, field] of [
    ['items of a list', 'shortvideo/comments', '7571863205253778710', 'like_count'],
    ['an object that was asked for', 'shortvideo/profile', 'other\nzebrabaker', 'follower_count'],
  ] as const) {
    test(`${what}: in no change, feed, page or table, until they are suppressed no more`, async (t) => {
      const { suppress, faces } = await scheduleOf(t, path, text, field);
      const before = await faces();
      for (const [at, text] of before.entries()) assert.match(text, word, `face ${at}`);
      await suppress('add');
      for (const [at, text] of (await faces()).entries()) {
        assert.doesNotMatch(text, word, `face ${at}`);
        assert.match(text, /other|_count|7000000000000000002/, `face ${at}`);
      }
      await suppress('remove');
      assert.deepEqual(await faces(), before);
    });
  }
});
