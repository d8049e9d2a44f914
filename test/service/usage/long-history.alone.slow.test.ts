import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { spendOf } from '../../../src/faces/dashboard/spend.js';
import { boundedReads } from '../../../src/service/usage/bounded-reads.js';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import type { CallsQuery, UsageQueries } from '../../../src/service/usage/usage-queries.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { LoopWatch } from '../../support/loop-watch.js';
import { openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const rows = 1_000_000;
const end = Date.UTC(2026, 5, 2);
const begin = end - 20 * 3_600_000;

interface History {
  readonly usage: UsageQueries;
  close(): Promise<void>;
}

/** Calls that failed, most of one day: they cost nothing, and one key makes some 20,000 a minute. */
const columns = `id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, credits_refunded,
  key_id, key_name`;
const values = `'mine', ${begin} + n / 20, ${begin} + n / 20, CASE WHEN n = 7 THEN 'maps/photos' ELSE 'maps/place' END,
  'failed', 'invalid_parameter', 0, 3, 'key_1', 'one'`;
const sums = `INSERT INTO usage_sums SELECT account, created_at / 86400000 * 86400000, endpoint, key_id, count(*), count(*), 0
  FROM usage GROUP BY 1, 2, 3, 4`;

const home = path.join(temporaryFolder(), 'home');

async function inDirectory(): Promise<History> {
  const { usage, ledger, database } = await openDirectory(home, new FakeClock(end), 0);
  database.db.exec(`WITH RECURSIVE calls (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM calls WHERE n + 1 < ${rows})
    INSERT INTO usage (${columns}) SELECT 'req_' || printf('%07d', n), ${values} FROM calls; ${sums}`);
  // As of rows that came one after the other: the log of writes is short.
  database.db.pragma('wal_checkpoint(TRUNCATE)');
  return { usage, close: () => ledger.close() };
}

async function inDatabase(): Promise<History> {
  const { postgres, close } = await openTestDatabase(allSchemas(), {
    timeouts: { statement: 300_000, answer: 300_000 },
  });
  await postgres.write(async (queries) => {
    await queries.run(`INSERT INTO usage (${columns})
      SELECT 'req_' || lpad(n::text, 7, '0'), ${values} FROM generate_series(0, ${rows - 1}) n`);
    await queries.run(sums);
  });
  await postgres.write((queries) => queries.run('ANALYZE usage'));
  const usage = boundedReads(new LedgerUsage(postgres, () => assert.fail('nobody asks')));
  return { usage, close };
}

/** The time until some work is done, and the longest turn of the event loop in it, in time of this thread's processor. */
async function costOf(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly turn: number }> {
  const watch = new LoopWatch();
  await setImmediate();
  watch.take();
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  await setImmediate();
  watch.stop();
  return { ms, turn: watch.take() };
}

const ask = (query: Partial<CallsQuery>) => (usage: UsageQueries) =>
  usage.listCalls('mine', { limit: 100, ...query });

type Read = (usage: UsageQueries) => Promise<unknown>;

function longHistory(open: () => Promise<History>): void {
  let history: History;
  before(async () => {
    history = await open();
  });
  after(() => history.close());

  const reads: Record<string, Read> = {
    'the newest': ask({}),
    'of an endpoint that was never called': ask({ endpoint: 'zzz' }),
    'of an endpoint that was called once': ask({ endpoint: 'maps/photos' }),
    'of a key that never called': ask({ key: 'key_9' }),
    'that succeeded': ask({ status: 'ok' }),
    'with a code that never was': ask({ code: 'platform_blocked' }),
    'of other platforms': ask({ platforms: ['shortvideo'] }),
    'before a day': ask({ to: '2026-06-01T04:00:01.000Z' }),
    'before a call in the middle': ask({ before: 'req_0500000', endpoint: 'maps/photos' }),
    'in the order of time, single, with a code that never was': (usage) =>
      usage.listCallsByTime('mine', { limit: 51, single: true, code: 'platform_blocked' }),
    'summed up over a year': (usage) => spendOf(usage, 'mine', '2025-06-02', '2026-06-01'),
    'the last one': (usage) => usage.findLastCallAt('mine'),
  };
  for (const [what, read] of Object.entries(reads)) {
    test(`is read ${what}: the loop is held 20 ms at most, and the answer takes 100`, async () => {
      await read(history.usage);
      const costs = [];
      for (let times = 0; times < 3; times += 1) costs.push(await costOf(() => read(history.usage)));
      const turn = Math.min(...costs.map((cost) => cost.turn));
      assert.ok(turn <= 20, `${turn} ms in one turn`);
      // Whoever else is at work takes some of the time: the shortest of three is the read's own.
      const ms = Math.min(...costs.map((cost) => cost.ms));
      assert.ok(ms <= 100, `${ms} ms`);
    });
  }

  test('is found whole, a stretch at a time', async () => {
    const found: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await history.usage.listCalls('mine', { limit: 100, endpoint: 'maps/photos', before });
      found.push(...page.rows.map(({ id }) => id));
      if (page.next === null) break;
      before = page.next;
    }
    assert.deepEqual(found, ['req_0000007']);
  });

  test('is read by its account one time after the other, and not without bound', async () => {
    const many = Array.from({ length: 40 }, () => ask({ code: 'platform_blocked' })(history.usage));
    const settled = await Promise.allSettled(many);
    const refused = settled.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 9);
    const { turn } = await costOf(() =>
      Promise.all(Array.from({ length: 10 }, () => ask({ code: 'platform_blocked' })(history.usage))),
    );
    assert.ok(turn <= 20, `${turn} ms in one turn`);
    const [first] = refused as PromiseRejectedResult[];
    await assert.rejects(Promise.reject(first?.reason), refusal('rate_limited'));
  });
}

describe(`a history of ${rows} calls that cost nothing`, () => {
  describe('in a data directory', () => longHistory(inDirectory));
  describe('in PostgreSQL', { skip: skipWithoutPostgres }, () => longHistory(inDatabase));
});
