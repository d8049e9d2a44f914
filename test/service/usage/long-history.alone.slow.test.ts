import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openDirectory } from '../../../src/compose/open-store.js';
import { spendOf } from '../../../src/faces/dashboard/spend.js';
import type { CallsQuery } from '../../../src/service/usage/usage-queries.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { LoopWatch } from '../../support/loop-watch.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const rows = 1_000_000;
const end = Date.UTC(2026, 5, 2);
const begin = end - 20 * 3_600_000;

const clock = new FakeClock(end);
const { usage, ledger, database } = await openDirectory(path.join(temporaryFolder(), 'home'), clock, 0);
after(() => ledger.close());
// Calls that failed, most of one day: they cost nothing, and one key makes some 20,000 a minute.
database.db.exec(`
  WITH RECURSIVE calls (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM calls WHERE n + 1 < ${rows})
  INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, credits_refunded, key_id, key_name)
  SELECT 'req_' || printf('%07d', n), 'mine', ${begin} + n / 20, ${begin} + n / 20,
    CASE WHEN n = 7 THEN 'maps/photos' ELSE 'maps/place' END, 'failed', 'invalid_parameter', 0, 3, 'key_1', 'one'
  FROM calls;
  INSERT INTO usage_sums SELECT account, created_at / 86400000 * 86400000, endpoint, key_id, count(*), count(*), 0
  FROM usage GROUP BY 1, 2, 3, 4`);

// As of rows that came one after the other: the log of writes is short.
database.db.pragma('wal_checkpoint(TRUNCATE)');

/** The time of the processor that this thread spends on some work, and the longest turn of its event loop. */
async function costOf(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly turn: number }> {
  const watch = new LoopWatch();
  await setImmediate();
  watch.take();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  await setImmediate();
  watch.stop();
  return { ms: (user + system) / 1000, turn: watch.take() };
}

const ask = (query: Partial<CallsQuery>) => () => usage.listCalls('mine', { limit: 100, ...query });

describe(`a history of ${rows} calls that cost nothing`, () => {
  const reads: Record<string, () => Promise<unknown>> = {
    'the newest': ask({}),
    'of an endpoint that was never called': ask({ endpoint: 'zzz' }),
    'of an endpoint that was called once': ask({ endpoint: 'maps/photos' }),
    'of a key that never called': ask({ key: 'key_9' }),
    'that succeeded': ask({ status: 'ok' }),
    'with a code that never was': ask({ code: 'platform_blocked' }),
    'of other platforms': ask({ platforms: ['shortvideo'] }),
    'before a day': ask({ to: '2026-06-01T04:00:01.000Z' }),
    'before a call in the middle': ask({ before: 'req_0500000', endpoint: 'maps/photos' }),
    'in the order of time, single, with a code that never was': () =>
      usage.listCallsByTime('mine', { limit: 51, single: true, code: 'platform_blocked' }),
    'summed up over a year': () => spendOf(usage, 'mine', '2025-06-02', '2026-06-01'),
    'the last one': () => usage.findLastCallAt('mine'),
  };
  for (const [what, read] of Object.entries(reads)) {
    test(`is read ${what}: the loop is held 20 ms at most, and the answer takes 100`, async () => {
      await read();
      const { ms, turn } = await costOf(read);
      assert.ok(turn <= 20, `${turn} ms in one turn`);
      assert.ok(ms <= 100, `${ms} ms`);
    });
  }

  test('is found whole, a stretch at a time', async () => {
    const found: string[] = [];
    let pages = 0;
    for (let before: string | undefined; ; pages += 1) {
      const page = await usage.listCalls('mine', { limit: 100, endpoint: 'maps/photos', before });
      found.push(...page.rows.map(({ id }) => id));
      if (page.next === null) break;
      before = page.next;
    }
    assert.deepEqual(found, ['req_0000007']);
    assert.ok(pages > 1);
  });

  test('is read by its account one time after the other, and not without bound', async () => {
    const many = Array.from({ length: 40 }, () => ask({ code: 'platform_blocked' })());
    const settled = await Promise.allSettled(many);
    const refused = settled.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 9);
    const { turn } = await costOf(() =>
      Promise.all(Array.from({ length: 10 }, () => ask({ code: 'platform_blocked' })())),
    );
    assert.ok(turn <= 20, `${turn} ms in one turn`);
    const [first] = refused as PromiseRejectedResult[];
    await assert.rejects(Promise.reject(first?.reason), refusal('rate_limited'));
  });
});
