import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, type TestContext, test } from 'node:test';
import type { Ledger } from '../../../lib/ledger/ledger.js';
import { LedgerUsage, type UsageQueries } from '../../../src/service/usage/ledger-usage.js';
import { measureDatabase } from '../../../src/service/usage/measure-disk.js';
import type { CallsByTimeQuery, CallsQuery } from '../../../src/service/usage/usage-queries.js';
import { at, chargeOf, refusal } from '../../ledger/ledger-port.js';
import { ledgerHarness } from '../../ledger/postgres-harness.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { jobsHarness } from '../jobs/harness.js';

/** What a suite over the port writes to before it reads. */
interface UsageHarness {
  readonly usage: UsageQueries;
  readonly ledger: Ledger;
  readonly accounts: {
    /** Opens an account with credits that a few calls need. */
    create(account: {
      readonly email: string;
      readonly verified: boolean;
      readonly credits: number;
    }): Promise<{ readonly id: string }>;
  };
}

const day = 24 * 3_600_000;
const begin = Date.UTC(2026, 0, 1);

async function addCall(
  { ledger }: UsageHarness,
  call: {
    id: string;
    account: string;
    at: number;
    endpoint?: string;
    code?: 'platform_blocked' | null;
    key?: string;
  },
): Promise<void> {
  const { id, account, at, endpoint = 'maps/place', code, key } = call;
  const keyOf = key === undefined ? undefined : { id: key, name: `name of ${key}` };
  await ledger.charge({ id, account, endpoint, credits: 3, needsPack: false, at, key: keyOf });
  await ledger.settle(id, code === undefined ? { status: 'ok', cached: false } : { status: 'failed', code });
}

const newAccount = (email: string, credits = 0) => ({ email, verified: true, credits });

/** What every store of usage answers. `open` gives one with no account but the local one. */
function usageQueriesPort(name: string, open: (t: TestContext) => Promise<UsageHarness>): void {
  const withAccount = async (t: TestContext) => {
    const all = await open(t);
    return { all, account: (await all.accounts.create(newAccount('mine@example.com'))).id };
  };

  describe(`${name}: calls`, () => {
    test('are ended calls of one account, newest first, page by page', async (t) => {
      const all = await open(t);
      const { id: mine } = await all.accounts.create(newAccount('mine@example.com'));
      const { id: other } = await all.accounts.create(newAccount('other@example.com'));
      for (let n = 0; n < 7; n += 1) await addCall(all, { id: `r${n}`, account: mine, at: begin + n });
      await addCall(all, { id: 'foreign', account: other, at: begin });
      await all.ledger.charge({
        ...{ id: 'pending', account: mine, endpoint: 'maps/place', credits: 3, needsPack: false, at: begin },
      });
      const first = await all.usage.listCalls(mine, { limit: 4 });
      const firstIds = first.rows.map(({ id }) => id);
      assert.deepEqual(firstIds, ['r6', 'r5', 'r4', 'r3']);
      assert.equal(first.next, 'r3');
      const rest = await all.usage.listCalls(mine, { limit: 4, before: 'r3' });
      const restIds = rest.rows.map(({ id }) => id);
      assert.deepEqual(restIds, ['r2', 'r1', 'r0']);
      assert.equal(rest.next, null);
      await assert.rejects(
        all.usage.listCalls(mine, { limit: 4, before: 'foreign' }),
        refusal('invalid_cursor'),
      );
      assert.deepEqual(
        (await all.ledger.usage(mine, { limit: 100 })).rows,
        (await all.usage.listCalls(mine, { limit: 100 })).rows,
        'the ledger lists the same calls',
      );
    });

    test('are filtered by status, code, key, endpoint and time together', async (t) => {
      const { all, account } = await withAccount(t);
      await addCall(all, { id: 'a', account, at: begin, key: 'key_1' });
      await addCall(all, { id: 'b', account, at: begin + day, key: 'key_1', code: 'platform_blocked' });
      await addCall(all, { id: 'c', account, at: begin + 2 * day, key: 'key_2', code: null });
      await addCall(all, { id: 'd', account, at: begin + 3 * day, endpoint: 'maps/photos', key: 'key_2' });
      const ids = async (query: object) =>
        (await all.usage.listCalls(account, { limit: 9, ...query })).rows.map(({ id }) => id).join('');
      assert.equal(await ids({}), 'dcba');
      assert.equal(await ids({ status: 'failed' }), 'cb');
      assert.equal(await ids({ status: 'ok', key: 'key_2' }), 'd');
      assert.equal(await ids({ code: 'platform_blocked' }), 'b');
      assert.equal(await ids({ endpoint: 'maps/place', key: 'key_2' }), 'c');
      const [from, to] = [begin + day, begin + 3 * day].map((time) => new Date(time).toISOString());
      assert.equal(await ids({ from, to }), 'cb');
    });

    test('of other platforms are omitted for a limited key', async (t) => {
      const { all, account } = await withAccount(t);
      const endpoints = ['maps/place', 'pronetwork/profile', 'shortvideo/video', 'shortvideo/search'];
      for (const [n, endpoint] of endpoints.entries()) {
        await addCall(all, { id: `r${n}`, account, at: begin + n, endpoint });
      }
      const ids = async (query: Partial<CallsQuery>) =>
        (await all.usage.listCalls(account, { limit: 9, ...query })).rows.map(({ id }) => id);
      assert.deepEqual(await ids({ platforms: ['shortvideo'] }), ['r3', 'r2']);
      assert.deepEqual(await ids({ platforms: ['shortvideo', 'maps'] }), ['r3', 'r2', 'r0']);
      assert.deepEqual(await ids({ platforms: ['shortvideo'], endpoint: 'pronetwork/profile' }), []);
      assert.deepEqual(await ids({ platforms: ['photosocial'] }), []);
      assert.deepEqual(await ids({ platforms: [] }), []);
    });

    test('are ordered by time and ID, with or without those of jobs, from any position', async (t) => {
      const { all, account } = await withAccount(t);
      for (const [n, id] of ['a', 'bb', 'c', 'job_1:0', 'e'].entries()) {
        await addCall(all, { id, account, at: begin + Math.floor(n / 2), key: 'key_1' });
      }
      const call = { account, endpoint: 'maps/place', credits: 3, needsPack: false, at: begin, job: 'job_1' };
      await all.ledger.pay({ ...call, id: 'job_1:1' });
      const ids = async (query: Partial<CallsByTimeQuery> = {}) =>
        (await all.usage.listCallsByTime(account, { limit: 9, single: false, ...query })).rows.map(
          ({ id }) => id,
        );
      assert.deepEqual(await ids(), ['e', 'job_1:0', 'c', 'job_1:1', 'bb', 'a']);
      assert.deepEqual(await ids({ single: true }), ['e', 'job_1:0', 'c', 'bb', 'a']);
      assert.deepEqual(await ids({ limit: 2, before: { at: begin + 1, id: 'job_1:0' } }), ['c', 'job_1:1']);
      assert.deepEqual(await ids({ key: 'key_1', to: new Date(begin + 1).toISOString() }), ['bb', 'a']);
      assert.deepEqual(await ids({ key: 'none' }), []);
      assert.deepEqual(await ids({ code: 'platform_blocked' }), []);
    });

    test('count for their key in the month of their charge, without refunds', async (t) => {
      const { all, account } = await withAccount(t);
      const key = { id: 'key_1', name: 'one' };
      const call = { account, endpoint: 'maps/place', credits: 3, needsPack: false, at: begin, key };
      const months = async () => {
        const now = [begin, Date.now()];
        return Math.max(...(await Promise.all(now.map((at) => all.usage.sumKeyMonth('key_1', at)))));
      };
      assert.equal(await months(), 0);
      await all.ledger.pay({ ...call, id: 'a' });
      await all.ledger.charge({ ...call, id: 'b' });
      assert.equal(await months(), 6);
      await all.ledger.settle('b', { status: 'failed', code: 'platform_blocked' });
      assert.equal(await months(), 3);
      assert.equal(await all.usage.sumKeyMonth('key_1', begin - 40 * day), 0);
    });

    test('are found by their id in their own account alone', async (t) => {
      const { all, account } = await withAccount(t);
      const { id: other } = await all.accounts.create(newAccount('other@example.com'));
      await addCall(all, { id: 'a', account, at: begin, code: 'platform_blocked' });
      const call = await all.usage.findCall(account, 'a');
      assert.equal(call?.error_code, 'platform_blocked');
      assert.equal(call?.created_at, new Date(begin).toISOString());
      assert.equal(await all.usage.findCall(other, 'a'), null);
      assert.equal(await all.usage.findCall(account, 'none'), null);
    });

    test('add up to what they are summed to by day and endpoint', async (t) => {
      const { all, account } = await withAccount(t);
      await addCall(all, { id: 'a', account, at: begin });
      await addCall(all, { id: 'b', account, at: begin + 1, code: 'platform_blocked' });
      await addCall(all, { id: 'c', account, at: begin + 2, endpoint: 'maps/photos' });
      await addCall(all, { id: 'd', account, at: begin + day });
      assert.deepEqual(await all.usage.sumByDay(account, begin, begin + 2 * day), [
        { day: '2026-01-01', endpoint: 'maps/photos', calls: 1, failed: 0, credits: 3 },
        { day: '2026-01-01', endpoint: 'maps/place', calls: 2, failed: 1, credits: 3 },
        { day: '2026-01-02', endpoint: 'maps/place', calls: 1, failed: 0, credits: 3 },
      ]);
      assert.deepEqual(await all.usage.sumByDay(account, begin + 2 * day, begin + 3 * day), []);
      assert.equal((await all.usage.sumByDay(account, begin, begin + day)).length, 2);
    });
  });

  describe(`${name}: last use and disk`, () => {
    test('the last call is the newest that has ended', async (t) => {
      const all = await open(t);
      const { id: account } = await all.accounts.create(newAccount('ann@example.com'));
      assert.equal(await all.usage.findLastCallAt(account), null);
      await addCall(all, { id: 'b', account, at: begin + day, code: 'platform_blocked' });
      await addCall(all, { id: 'a', account, at: begin });
      await all.ledger.charge({
        ...{ id: 'pending', account, endpoint: 'maps/place', credits: 3, needsPack: false },
        at: begin + 2 * day,
      });
      assert.equal(await all.usage.findLastCallAt(account), new Date(begin + day).toISOString());
      assert.equal(await all.usage.findLastCallAt('acct_none'), null);
    });

    test('the space of the store is measured', async (t) => {
      const { usage } = await open(t);
      const { free, size, ledger, cache } = await usage.measureDiskSpace();
      assert.ok(size > 0 && free >= 0 && free <= size);
      assert.ok(ledger > 0);
      assert.equal(cache, 0);
    });
  });
}

usageQueriesPort('usage in the SQLite file of a data directory', async (t) => {
  const { opened } = await jobsHarness(t, { start: false });
  return opened;
});

describe('usage in the SQLite file of a data directory', () => {
  test('rejects with an error of the catalogue when the driver fails', async (t) => {
    const { opened } = await jobsHarness(t, { start: false });
    const { usage, database } = opened;
    database.db.exec('ALTER TABLE usage RENAME TO lost');
    await assert.rejects(usage.listCalls('acct_a', { limit: 1 }), refusal('internal_error', /ledger/));
    database.db.exec('ALTER TABLE lost RENAME TO usage');
    assert.deepEqual(await usage.listCalls('acct_a', { limit: 1 }), { rows: [], next: null });
  });
});

describe('usage in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const harness = ledgerHarness(after);

  const open = async () => {
    const { ledger, database } = await harness();
    const home = temporaryFolder();
    const usage = new LedgerUsage(database.postgres, () => measureDatabase(database.postgres, home));
    const create = async () => {
      const id = `acct_${randomUUID()}`;
      await ledger.grant({ id, account: id, credits: 500, kind: 'trial', at });
      return { id };
    };
    return { ledger, usage, database, accounts: { create } };
  };
  usageQueriesPort('in a database', open);

  test('sums partial days from calls and whole days from stored sums', async () => {
    const { ledger, usage } = await open();
    const day = 24 * 3_600_000;
    const begin = Date.parse(at);
    for (let n = 0; n < 16; n += 1) await ledger.pay(chargeOf(`r${n}`, { at: begin + (n * day) / 4 }));
    const spent = async (from: number, to: number) =>
      (await usage.sumByDay('local', begin + from * day, begin + to * day)).map(({ calls }) => calls);
    assert.deepEqual(await spent(0, 4), [4, 4, 4, 4]);
    assert.deepEqual(await spent(0.25, 3.5), [3, 4, 4, 2]);
    assert.deepEqual(await spent(0.25, 0.75), [2]);
    assert.deepEqual(await spent(0.75, 1.25), [1, 1]);
    assert.deepEqual(await spent(1, 1), []);
    assert.deepEqual(await spent(9, 10), []);
  });

  test('rejects with an error of the catalogue if a table is missing', async () => {
    const { usage, database } = await open();
    await database.postgres.write((queries) => queries.run('ALTER TABLE usage RENAME TO lost'));
    await assert.rejects(
      usage.listCalls('acct_a', { limit: 1 }),
      refusal('internal_error', /table is missing/),
    );
  });
});
