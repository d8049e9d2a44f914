import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { served } from './harness.js';

const day = 86_400_000;

describe('a history, with every setting as it comes', { skip: noBrowser }, () => {
  test('says what moved from day to day, and of a list on several pages what two days lacked', async () => {
    const page = shortvideoSite();
    let today = 0;
    const { home, run } = await served((request) => {
      const answer = page(request);
      const body = answer?.body;
      if (today === 0 || typeof body !== 'string' || request.path !== '/api/comment/list/' || body === '') {
        return answer;
      }
      const list = JSON.parse(body);
      const kept = list.comments.filter(({ cid }: { cid: string }) => cid !== '9000003');
      const comments = kept.map((one: { cid: string }) =>
        one.cid === '9000001' ? { ...one, digg_count: 41 } : one,
      );
      return { ...answer, body: JSON.stringify({ ...list, comments }) };
    });
    const file = path.join(home, 'comments.sqlite');
    for (today = 0; today < 3; today += 1) {
      const args = ['shortvideo', 'comments', '--id', videoId, '--all', '--history', file];
      const { status, err } = await run(args, { aheadMs: today * day });
      assert.equal(status, 0, err);
    }
    const { out } = await run(['history', file, '--format', 'ndjson']);
    const changes = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const first = changes.filter(({ event }) => event === 'first');
    assert.equal(first.length, commentsOfVideo);
    assert.deepEqual(
      changes
        .slice(commentsOfVideo)
        .map(({ id, event, field, before, after }) => [id, event, field, before, after]),
      [
        ['9000001', 'changed', 'like_count', 1, 41],
        ['9000003', 'removed', null, null, null],
      ],
    );
    const [one, other] = changes.slice(commentsOfVideo).map(({ fetched_at }) => Date.parse(fetched_at));
    assert.ok((other ?? 0) - (one ?? 0) > day / 2);
    const feed = await run(['feed', file]);
    assert.match(feed.out, /<title>Removed: user3: Comment 3<\/title>/);
  });
});
