import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MemoryAnswers } from '../../../src/faces/mcp/memory-answers.js';
import type { RecentAnswer } from '../../../src/faces/mcp/recent-answers.js';
import { FakeClock } from '../../support/fake-clock.js';
import { anyEndpoint } from './call-tool.js';

const answerOf = (id: string, account: string | null, { json = '{}', demo = false } = {}): RecentAnswer => ({
  ...{ endpoint: anyEndpoint, account, demo, edition: '' },
  answer: {
    ...{ source: 'platform', json },
    meta: {
      ...{ request_id: id, credits_charged: 3, credits_remaining: 7, cached: false },
      ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
    },
  },
});

describe('recent answers', () => {
  test('are only found by the account they were charged to', async () => {
    const recent = new MemoryAnswers(new FakeClock());
    const answer = answerOf('req_1', 'acct_a');
    await recent.add(answer);
    assert.equal(await recent.find('req_1', 'acct_a'), answer);
    assert.equal(await recent.find('req_1', 'acct_b'), undefined);
    assert.equal(await recent.find('req_1', null), undefined);
    assert.equal(await recent.find('req_2', 'acct_a'), undefined);
  });

  test('are found by everybody when they are samples', async () => {
    const recent = new MemoryAnswers(new FakeClock());
    await recent.add(answerOf('req_1', null, { demo: true }));
    await recent.add(answerOf('req_2', 'acct_a', { demo: true }));
    assert.ok(await recent.find('req_1', 'acct_b'));
    assert.ok(await recent.find('req_2', null));
  });

  test('expire after an hour', async () => {
    const clock = new FakeClock();
    const recent = new MemoryAnswers(clock);
    await recent.add(answerOf('req_1', 'acct_a'));
    await clock.advance(59 * 60_000);
    assert.ok(await recent.find('req_1', 'acct_a'));
    await clock.advance(2 * 60_000);
    assert.equal(await recent.find('req_1', 'acct_a'), undefined);
  });

  test('are bounded in room: the oldest go, and one that is larger than all of it is not kept', async () => {
    const recent = new MemoryAnswers(new FakeClock());
    const megabyte = JSON.stringify('x'.repeat(1024 * 1024));
    for (let index = 0; index < 20; index += 1)
      await recent.add(answerOf(`req_${index}`, 'acct_a', { json: megabyte }));
    assert.equal(await recent.find('req_0', 'acct_a'), undefined);
    assert.ok(await recent.find('req_19', 'acct_a'));
    await recent.add(answerOf('req_huge', 'acct_a', { json: 'x'.repeat(17 * 1024 * 1024) }));
    assert.equal(await recent.find('req_huge', 'acct_a'), undefined);
    assert.ok(await recent.find('req_19', 'acct_a'));
  });
});
