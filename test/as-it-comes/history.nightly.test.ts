import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

const day = 86_400_000;

describe('a history, with every setting as it comes', { skip: noBrowser }, () => {
  test('reports what changed from day to day, and as removed what two readings of a list lack', async () => {
    const page = shortvideoSite();
    let today = 0;
    const { home, run } = await serveSite((request) => {
      const answer = page(request);
      const body = answer?.body;
      if (typeof body !== 'string' || request.path !== '/api/comment/list/' || body === '') return answer;
      const list = JSON.parse(body) as { comments: { cid: string }[] };
      const later = list.comments
        .filter(({ cid }) => cid !== '9000003')
        .map((one) => (one.cid === '9000001' ? { ...one, digg_count: 41 } : one));
      const comments = today === 0 ? list.comments : later;
      const total = commentsOfVideo - (today === 0 ? 0 : 1);
      return { ...answer, body: JSON.stringify({ ...list, comments, total }) };
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
    const [changed, removed] = changes.slice(commentsOfVideo).map(({ fetched_at }) => Date.parse(fetched_at));
    assert.ok((removed ?? 0) - (changed ?? 0) > day / 2);
    const feed = await run(['feed', file]);
    assert.match(feed.out, /<title>Removed: user3: Comment 3<\/title>/);
  });
});
