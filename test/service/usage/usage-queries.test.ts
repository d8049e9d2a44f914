import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import type { Charge } from '../../../lib/ledger/ledger.js';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import { measureDatabase } from '../../../src/service/usage/measure-disk.js';
import type { CallsByTimeQuery, CallsQuery } from '../../../src/service/usage/usage-queries.js';
import { chargeOf, refusal } from '../../ledger/ledger-port.js';
import { ledgerHarness } from '../../ledger/postgres-harness.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { jobsHarness } from '../jobs/harness.js';

const day = 24 * 3_600_000;
const begin = Date.UTC(2026, 0, 1);
const iso = (time: number) => new Date(time).toISOString();

const harness = ledgerHarness(after);

/** What a store of usage is asked, and the ledger that writes to it. Accounts have 500 credits. */
const kinds = [
  {
    where: 'the SQLite file of a data directory',
    skip: false,
    async open(t: TestContext) {
      const { ledger, usage, database } = (await jobsHarness(t, { start: false })).opened;
      const run = async (sql: string) => void database.db.exec(sql);
      return { ledger, usage, run };
    },
  },
  {
    where: 'a database',
    skip: skipWithoutPostgres,
    async open(_: TestContext) {
      const { ledger, database } = await harness();
      const { postgres } = database;
      const home = temporaryFolder();
      const usage = new LedgerUsage(postgres, () => measureDatabase(postgres, home));
      const run = async (sql: string) => void (await postgres.write((queries) => queries.run(sql)));
      return { ledger, usage, run };
    },
  },
] as const;

for (const { where, skip, open } of kinds) {
  async function opened(t: TestContext) {
    const { ledger, usage, run } = await open(t);
    for (const account of ['mine', 'other']) {
      await ledger.grant({ id: account, account, credits: 500, kind: 'trial', at: iso(begin) });
    }
    return {
      ...{ ledger, usage, run },
      /** Adds a call of `mine` that has ended. */
      async add(
        id: string,
        at: number,
        { code, ...changes }: Partial<Charge> & { code?: 'platform_blocked' | null } = {},
      ) {
        await ledger.charge(chargeOf(id, { account: 'mine', at, ...changes }));
        const isOk = code === undefined;
        await ledger.settle(id, isOk ? { status: 'ok', cached: false } : { status: 'failed', code });
      },
      ids: async (query: Partial<CallsQuery> = {}) =>
        (await usage.listCalls('mine', { limit: 9, ...query })).rows.map(({ id }) => id).join(' '),
    };
  }
  const keyOf = (id: string) => ({ key: { id, name: `name of ${id}` } });
  const pending = chargeOf('pending', { account: 'mine', at: begin + 2 * day });

  describe(`calls in ${where}`, { skip }, () => {
    test('are ended calls of one account, newest first, page by page', async (t) => {
      const { ledger, usage, add } = await opened(t);
      for (let n = 0; n < 7; n += 1) await add(`r${n}`, begin + n);
      await add('foreign', begin, { account: 'other' });
      await ledger.charge(pending);
      const page = async (before?: string) => {
        const { rows, next } = await usage.listCalls('mine', { limit: 4, before });
        return [rows.map(({ id }) => id).join(' '), next];
      };
      assert.deepEqual(await page(), ['r6 r5 r4 r3', 'r3']);
      assert.deepEqual(await page('r3'), ['r2 r1 r0', null]);
      await assert.rejects(page('foreign'), refusal('invalid_cursor'));
      const [all, listed] = [
        await ledger.usage('mine', { limit: 100 }),
        await usage.listCalls('mine', { limit: 100 }),
      ];
      assert.deepEqual(all.rows, listed.rows, 'the ledger lists the same calls');
    });

    test('are filtered by status, code, key, endpoint and time together', async (t) => {
      const { add, ids } = await opened(t);
      await add('a', begin, keyOf('key_1'));
      await add('b', begin + day, { ...keyOf('key_1'), code: 'platform_blocked' });
      await add('c', begin + 2 * day, { ...keyOf('key_2'), code: null });
      await add('d', begin + 3 * day, { ...keyOf('key_2'), endpoint: 'maps/photos' });
      assert.equal(await ids({}), 'd c b a');
      assert.equal(await ids({ status: 'failed' }), 'c b');
      assert.equal(await ids({ status: 'ok', key: 'key_2' }), 'd');
      assert.equal(await ids({ code: 'platform_blocked' }), 'b');
      assert.equal(await ids({ endpoint: 'maps/place', key: 'key_2' }), 'c');
      assert.equal(await ids({ from: iso(begin + day), to: iso(begin + 3 * day) }), 'c b');
    });

    test('of other platforms are omitted for a limited key', async (t) => {
      const { add, ids } = await opened(t);
      const endpoints = ['maps/place', 'pronetwork/profile', 'shortvideo/video', 'shortvideo/search'];
      for (const [n, endpoint] of endpoints.entries()) await add(`r${n}`, begin + n, { endpoint });
      assert.equal(await ids({ platforms: ['shortvideo'] }), 'r3 r2');
      assert.equal(await ids({ platforms: ['shortvideo', 'maps'] }), 'r3 r2 r0');
      assert.equal(await ids({ platforms: ['shortvideo'], endpoint: 'pronetwork/profile' }), '');
      assert.equal(await ids({ platforms: ['photosocial'] }), '');
      assert.equal(await ids({ platforms: [] }), '');
    });

    test('are ordered by time and ID, with or without those of jobs, from any position', async (t) => {
      const { ledger, usage, add } = await opened(t);
      for (const [n, id] of ['a', 'bb', 'c', 'job_1:0', 'e'].entries())
        await add(id, begin + Math.floor(n / 2), keyOf('key_1'));
      await ledger.pay(chargeOf('job_1:1', { account: 'mine', at: begin, job: 'job_1' }));
      const ids = async (query: Partial<CallsByTimeQuery> = {}) => {
        const { rows } = await usage.listCallsByTime('mine', { limit: 9, single: false, ...query });
        return rows.map(({ id }) => id).join(' ');
      };
      assert.equal(await ids(), 'e job_1:0 c job_1:1 bb a');
      assert.equal(await ids({ single: true }), 'e job_1:0 c bb a');
      assert.equal(await ids({ limit: 2, before: { at: begin + 1, id: 'job_1:0' } }), 'c job_1:1');
      assert.equal(await ids({ key: 'key_1', to: iso(begin + 1) }), 'bb a');
      assert.equal(await ids({ key: 'none' }), '');
      assert.equal(await ids({ code: 'platform_blocked' }), '');
    });

    test('count for their key in the month of their charge, without refunds', async (t) => {
      const { ledger, usage } = await opened(t);
      const call = { account: 'mine', at: begin, ...keyOf('key_1') };
      const months = async () => {
        const now = [begin, Date.now()];
        return Math.max(...(await Promise.all(now.map((at) => usage.sumKeyMonth('key_1', at)))));
      };
      assert.equal(await months(), 0);
      await ledger.pay(chargeOf('a', call));
      await ledger.charge(chargeOf('b', call));
      assert.equal(await months(), 6);
      await ledger.settle('b', { status: 'failed', code: 'platform_blocked' });
      assert.equal(await months(), 3);
      assert.equal(await usage.sumKeyMonth('key_1', begin - 40 * day), 0);
    });

    test('are found by their id in their own account alone', async (t) => {
      const { usage, add } = await opened(t);
      await add('a', begin, { code: 'platform_blocked' });
      const call = await usage.findCall('mine', 'a');
      assert.deepEqual([call?.error_code, call?.created_at], ['platform_blocked', iso(begin)]);
      assert.equal(await usage.findCall('other', 'a'), null);
      assert.equal(await usage.findCall('mine', 'none'), null);
    });

    test('add up to what they are summed to by day and endpoint', async (t) => {
      const { usage, add } = await opened(t);
      await add('a', begin);
      await add('b', begin + 1, { code: 'platform_blocked' });
      await add('c', begin + 2, { endpoint: 'maps/photos' });
      await add('d', begin + day);
      const sums = (from: number, to: number) => usage.sumByDay('mine', begin + from * day, begin + to * day);
      assert.deepEqual(await sums(0, 2), [
        { day: '2026-01-01', endpoint: 'maps/photos', calls: 1, failed: 0, credits: 3 },
        { day: '2026-01-01', endpoint: 'maps/place', calls: 2, failed: 1, credits: 3 },
        { day: '2026-01-02', endpoint: 'maps/place', calls: 1, failed: 0, credits: 3 },
      ]);
      assert.deepEqual(await sums(2, 3), []);
      assert.equal((await sums(0, 1)).length, 2);
    });

    test('are summed by parts of days and by whole ones', async (t) => {
      const { ledger, usage } = await opened(t);
      for (let n = 0; n < 16; n += 1) await ledger.pay(chargeOf(`r${n}`, { at: begin + (n * day) / 4 }));
      const spent = async (from: number, to: number) =>
        (await usage.sumByDay('local', begin + from * day, begin + to * day)).map(({ calls }) => calls);
      assert.deepEqual(await spent(0, 4), [4, 4, 4, 4]);
      assert.deepEqual(await spent(0.25, 3.5), [3, 4, 4, 2]);
      assert.deepEqual(await spent(0.25, 0.75), [2]);
      assert.deepEqual(await spent(0.75, 1.25), [1, 1]);
      assert.deepEqual([await spent(1, 1), await spent(9, 10)], [[], []]);
    });

    test('have a newest one, which has ended', async (t) => {
      const { ledger, usage, add } = await opened(t);
      assert.equal(await usage.findLastCallAt('mine'), null);
      await add('b', begin + day, { code: 'platform_blocked' });
      await add('a', begin);
      await ledger.charge(pending);
      assert.equal(await usage.findLastCallAt('mine'), iso(begin + day));
      assert.equal(await usage.findLastCallAt('acct_none'), null);
    });

    test('take a measured space on the disk', async (t) => {
      const { usage } = await opened(t);
      const { free, size, ledger, cache } = await usage.measureDiskSpace();
      assert.ok(size > 0 && free >= 0 && free <= size);
      assert.ok(ledger > 0);
      assert.equal(cache, 0);
    });

    test('cannot be listed without their table, which is an error of the catalogue', async (t) => {
      const { usage, run } = await opened(t);
      await run('ALTER TABLE usage RENAME TO lost');
      const message = where === 'a database' ? /table is missing/ : /ledger/;
      await assert.rejects(usage.listCalls('mine', { limit: 1 }), refusal('internal_error', message));
      await run('ALTER TABLE lost RENAME TO usage');
      assert.deepEqual(await usage.listCalls('mine', { limit: 1 }), { rows: [], next: null });
    });
  });
}
