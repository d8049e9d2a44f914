import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { spendOf } from '../../../src/faces/dashboard/spend.js';
import type { CallsQuery, UsageQueries } from '../../../src/service/usage/usage-queries.js';
import { refusal } from '../../ledger/ledger-port.js';
import { LoopWatch } from '../../support/loop-watch.js';
import { ownTime } from '../../support/own-time.js';

/** An account with so many calls that each read of them is one of pieces. */
export interface LongHistory {
  readonly usage: UsageQueries;
  readonly account: string;
}

/** The time of this thread until some work is done, and the longest turn of the event loop in it, in its processor time. */
async function costOf(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly turn: number }> {
  const watch = new LoopWatch();
  await setImmediate();
  watch.take();
  const startedAt = ownTime();
  await work();
  const ms = ownTime() - startedAt;
  await setImmediate();
  watch.stop();
  return { ms, turn: watch.take() };
}

const ask =
  (query: Partial<CallsQuery>) =>
  ({ usage, account }: LongHistory) =>
    usage.listCalls(account, { limit: 100, ...query });

type ReadHistory = (history: LongHistory) => Promise<unknown>;

/** Reads of the calls of `long-history.alone.nightly.test.ts`, a second after whose beginning is `early`. */
const reads = (early: string): Readonly<Record<string, ReadHistory>> => ({
  'the newest': ask({}),
  'of an endpoint that was never called': ask({ endpoint: 'zzz' }),
  'of an endpoint that was called once': ask({ endpoint: 'maps/photos' }),
  'of a key that never called': ask({ key: 'key_9' }),
  'that succeeded': ask({ status: 'ok' }),
  'with a code that never was': ask({ code: 'platform_blocked' }),
  'of other platforms': ask({ platforms: ['shortvideo'] }),
  'before a day': ask({ to: early }),
  'before a call in the middle': ask({ before: 'req_0500000', endpoint: 'maps/photos' }),
  'in the order of time, single, with a code that never was': ({ usage, account }) =>
    usage.listCallsByTime(account, { limit: 51, single: true, code: 'platform_blocked' }),
  'summed up over a year': ({ usage, account }) => spendOf(usage, account, '2025-11-06', '2026-11-05'),
  'the last one': ({ usage, account }) => usage.findLastCallAt(account),
});

/** Tests that reading a long history barely blocks the event loop and returns the same as for a short history. */
export function testLongReads(history: LongHistory, early: string): void {
  for (const [what, readHistory] of Object.entries(reads(early))) {
    test(`is read ${what}: the loop is held 20 ms at most, and the answer takes 100`, async () => {
      await readHistory(history);
      const costs = [];
      for (let times = 0; times < 5; times += 1) costs.push(await costOf(() => readHistory(history)));
      const turn = Math.min(...costs.map((cost) => cost.turn));
      assert.ok(turn <= 20, `${turn} ms in one turn`);
      // Other processes take some of the time, so the fastest of five reads is the best estimate.
      const ms = Math.min(...costs.map((cost) => cost.ms));
      assert.ok(ms <= 100, `${ms} ms`);
    });
  }

  test('is read completely, in parts', async () => {
    const { usage, account } = history;
    const ids: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await usage.listCalls(account, { limit: 100, endpoint: 'maps/photos', before });
      ids.push(...page.rows.map(({ id }) => id));
      if (page.next === null) break;
      before = page.next;
    }
    assert.deepEqual(ids, ['req_0000007']);
  });

  test('is read by its account one time after the other, and not without bound', async () => {
    const many = Array.from({ length: 40 }, () => ask({ code: 'platform_blocked' })(history));
    const settled = await Promise.allSettled(many);
    const refused = settled.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 9);
    const { turn } = await costOf(() =>
      Promise.all(Array.from({ length: 10 }, () => ask({ code: 'platform_blocked' })(history))),
    );
    assert.ok(turn <= 20, `${turn} ms in one turn`);
    const [first] = refused as PromiseRejectedResult[];
    await assert.rejects(Promise.reject(first?.reason), refusal('rate_limited'));
  });
}
