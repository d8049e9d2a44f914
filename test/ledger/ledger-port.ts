import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { unmeasured } from '../../lib/ledger/call-row.js';
import type { Charge, Ledger, UsageQuery } from '../../lib/ledger/ledger.js';
import type { UsageRow } from '../../lib/ledger/usage-row.js';
import { pay } from '../support/pay.js';

export const at = '2026-01-01T00:00:00.000Z';

/** A charge of three credits to the local account, with what matters to the test changed. */
export function chargeOf(id: string, changes: Partial<Charge> = {}): Charge {
  return {
    id,
    account: 'local',
    endpoint: 'maps/place',
    credits: 3,
    needsPack: false,
    at: Date.parse(at),
    ...changes,
  };
}

/** The usage row of such a charge, answered from the cache, with what matters to the test changed. */
function paidRow(id: string, changes: Partial<UsageRow> = {}): UsageRow {
  const price = { credits_charged: 3, credits_refunded: 0 };
  const call = { id, created_at: at, endpoint: 'maps/place', api_key: null, job_id: null, ...unmeasured };
  return { ...call, ...price, status: 'ok', error_code: null, cached: true, ...changes };
}

/** What a rejection must be: this code, and a message that says this. */
export function refusal(code: string, message = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof ExtractError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

const listed = async (ledger: Ledger, query: Partial<UsageQuery> = {}) =>
  (await ledger.usage('local', { limit: 100, ...query })).rows;

/** Charges a call and ends it with an answer. */
async function ended(ledger: Ledger, id: string, changes: Partial<Charge> = {}): Promise<void> {
  await ledger.charge(chargeOf(id, changes));
  await ledger.settle(id, { status: 'ok', cached: false });
}

const minute = (count: number) => Date.parse(at) + count * 60_000;

/**
 * What every ledger shows of what was written to it, one that only reads included. `open` gives one with nothing in it
 * but the local account, whose writing may take another way than its reading.
 */
export function ledgerReadingPort(name: string, open: () => Promise<Ledger>): void {
  const isoMinute = (count: number) => new Date(minute(count)).toISOString();

  describe(`${name}: reading`, () => {
    test('the balance is what was granted without what is charged', async () => {
      const ledger = await open();
      const before = await ledger.balance('local');
      assert.deepEqual([before.credits, before.bought], [50_000, true]);
      await ended(ledger, 'a');
      await ledger.charge(chargeOf('b'));
      assert.deepEqual(await ledger.balance('local'), { ...before, credits: 49_994 });
      await ledger.settle('b', { status: 'failed', code: 'platform_blocked' });
      assert.equal((await ledger.balance('local')).credits, 49_997);
      await ledger.close();
    });

    test('a call is shown as it ended, and not before', async () => {
      const ledger = await open();
      await ledger.charge(chargeOf('a', { job: 'job_1' }));
      assert.deepEqual(await listed(ledger), []);
      await ledger.settle('a', { status: 'failed', code: 'platform_blocked' });
      await ended(ledger, 'b', { at: minute(1) });
      const failed = { status: 'failed', error_code: 'platform_blocked', credits_charged: 0 } as const;
      assert.deepEqual(await listed(ledger), [
        paidRow('b', { created_at: isoMinute(1), cached: false }),
        paidRow('a', { ...failed, credits_refunded: 3, cached: false, job_id: 'job_1' }),
      ]);
      await ledger.close();
    });

    test('pages go from the newest to the oldest, each call once, equal times ordered by id', async () => {
      const ledger = await open();
      const ids = Array.from({ length: 23 }, (_, index) => `r${String(index).padStart(2, '0')}`);
      await Promise.all(ids.map((id, index) => ended(ledger, id, { at: minute(Math.floor(index / 4)) })));
      const pagedIds: string[] = [];
      let before: string | undefined;
      do {
        const { rows, next } = await ledger.usage('local', { limit: 5, before });
        pagedIds.push(...rows.map(({ id }) => id));
        before = next ?? undefined;
      } while (before !== undefined);
      assert.deepEqual(pagedIds, ids.toReversed());
      await ledger.close();
    });

    test('a last page that is full is the last', async () => {
      const ledger = await open();
      await Promise.all(['a', 'b', 'c', 'd'].map((id) => ended(ledger, id)));
      const { next } = await ledger.usage('local', { limit: 2 });
      const second = await ledger.usage('local', { limit: 2, before: next ?? '' });
      assert.deepEqual([second.rows.map(({ id }) => id), second.next], [['b', 'a'], null]);
      await ledger.close();
    });

    test('calls that are made while the pages are turned do not disturb them', async () => {
      const ledger = await open();
      await Promise.all(['a', 'b', 'c'].map((id) => ended(ledger, id)));
      const { next } = await ledger.usage('local', { limit: 1 });
      await ended(ledger, 'd', { at: minute(1) });
      const { rows } = await ledger.usage('local', { limit: 5, before: next ?? '' });
      const ids = rows.map(({ id }) => id);
      assert.deepEqual(ids, ['b', 'a']);
      await ledger.close();
    });

    test('filters by time (from inclusive, to exclusive), endpoint and job, also together', async () => {
      const ledger = await open();
      await ended(ledger, 'a', { at: minute(0) });
      await ended(ledger, 'b', { at: minute(1), endpoint: 'maps/photos' });
      await ended(ledger, 'c', { at: minute(2), endpoint: 'maps/photos', job: 'job_1' });
      await ended(ledger, 'd', { at: minute(3), job: 'job_1' });
      const ids = async (query: Partial<UsageQuery>) => (await listed(ledger, query)).map(({ id }) => id);
      assert.deepEqual(await ids({ from: isoMinute(1), to: isoMinute(3) }), ['c', 'b']);
      assert.deepEqual(await ids({ from: '2026-01-01T01:01:00+01:00', to: isoMinute(2) }), ['b']);
      assert.deepEqual(await ids({ endpoint: 'maps/photos' }), ['c', 'b']);
      assert.deepEqual(await ids({ job: 'job_1' }), ['c', 'd'], 'in the order of the inputs');
      assert.deepEqual(await ids({ job: 'job_1', endpoint: 'maps/photos', to: isoMinute(3) }), ['c']);
      assert.deepEqual(await ids({ job: `job_1' OR '1'='1` }), []);
      await ledger.close();
    });

    test('shows each account its own calls, and takes no place and no time that is none', async () => {
      const ledger = await open();
      await ledger.grant({ id: 'first', account: 'acct_a', credits: 100, kind: 'trial', at });
      await ended(ledger, 'mine');
      await ended(ledger, 'theirs', { account: 'acct_a' });
      const ids = (await listed(ledger)).map(({ id }) => id);
      assert.deepEqual(ids, ['mine']);
      await assert.rejects(ledger.usage('local', { limit: 5, before: 'nowhere' }), refusal('invalid_cursor'));
      await assert.rejects(ledger.usage('local', { limit: 5, from: 'soon' }), refusal('invalid_parameter'));
      await ledger.close();
    });
  });
}

/** What every ledger does. `open` gives one with nothing in it but the local account. */
export function ledgerPort(name: string, open: () => Promise<Ledger>): void {
  const account = async (credits: number, kind: 'pack' | 'trial' = 'trial') => {
    const ledger = await open();
    await ledger.grant({ id: 'first', account: 'acct_a', credits, kind, at });
    return ledger;
  };

  describe(`${name}: accounts`, () => {
    test('the local account comes with one pack of 50,000', async () => {
      const ledger = await open();
      assert.deepEqual(await ledger.balance('local'), { account: 'local', credits: 50_000, bought: true });
      assert.deepEqual(await listed(ledger), []);
      await ledger.close();
    });

    test('an account that is not known has nothing', async () => {
      const ledger = await open();
      assert.deepEqual(await ledger.balance('acct_x'), { account: 'acct_x', credits: 0, bought: false });
      await assert.rejects(
        ledger.charge(chargeOf('a', { account: 'acct_x' })),
        refusal('insufficient_credits'),
      );
      await ledger.close();
    });

    test('a grant counts once, whatever comes under its id later', async () => {
      const ledger = await account(100);
      const again = { id: 'first', account: 'acct_a', credits: 900, kind: 'pack', at } as const;
      assert.equal(await ledger.grant(again), 100);
      assert.deepEqual(await ledger.balance('acct_a'), { account: 'acct_a', credits: 100, bought: false });
      await ledger.close();
    });

    test('a pack makes an account one that has bought, and a later trial does not undo it', async () => {
      const ledger = await account(100);
      assert.equal((await ledger.balance('acct_a')).bought, false);
      assert.equal(
        await ledger.grant({ id: 'p', account: 'acct_a', credits: 50_000, kind: 'pack', at }),
        50_100,
      );
      assert.equal(
        await ledger.grant({ id: 't', account: 'acct_a', credits: 500, kind: 'trial', at }),
        50_600,
      );
      assert.equal((await ledger.balance('acct_a')).bought, true);
      await ledger.close();
    });

    test('a grant of nothing, of less, of a fraction or of no number is refused', async () => {
      const ledger = await open();
      for (const credits of [0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await assert.rejects(
          ledger.grant({ id: 'g', account: 'local', credits, kind: 'pack', at }),
          refusal('internal_error'),
        );
      }
      assert.equal((await ledger.balance('local')).credits, 50_000);
      await ledger.close();
    });

    test('a balance never grows beyond what is counted exactly', async () => {
      const ledger = await open();
      const credits = Number.MAX_SAFE_INTEGER;
      await assert.rejects(
        ledger.grant({ id: 'g', account: 'local', credits, kind: 'pack', at }),
        refusal('internal_error'),
      );
      assert.equal((await ledger.balance('local')).credits, 50_000);
      assert.equal(await ledger.grant({ id: 'g', account: 'local', credits: 1, kind: 'pack', at }), 50_001);
      await ledger.close();
    });
  });

  describe(`${name}: charging`, () => {
    test('the price is deducted before the call ends, and the call is listed only after', async () => {
      const ledger = await open();
      await ledger.charge(chargeOf('a'));
      assert.equal((await ledger.balance('local')).credits, 49_997);
      assert.deepEqual(await listed(ledger), []);
      assert.equal(await ledger.settle('a', { status: 'ok', cached: true }), 49_997);
      assert.deepEqual(await listed(ledger), [paidRow('a')]);
      await ledger.close();
    });

    test('a failed call costs nothing and shows the refund', async () => {
      const ledger = await open();
      await ledger.charge(chargeOf('a', { key: { id: 'key_1', name: 'laptop' }, job: 'job_1' }));
      assert.equal(await ledger.settle('a', { status: 'failed', code: 'platform_blocked' }), 50_000);
      const [row] = await listed(ledger);
      assert.deepEqual(
        [row?.status, row?.error_code, row?.credits_charged, row?.credits_refunded, row?.cached],
        ['failed', 'platform_blocked', 0, 3, false],
      );
      assert.deepEqual([row?.api_key, row?.job_id], [{ id: 'key_1', name: 'laptop' }, 'job_1']);
      await ledger.close();
    });

    test('an aborted call has failed without a code', async () => {
      const ledger = await open();
      await ledger.charge(chargeOf('a'));
      await ledger.settle('a', { status: 'failed', code: null });
      const [row] = await listed(ledger);
      assert.deepEqual([row?.status, row?.error_code, row?.credits_refunded], ['failed', null, 3]);
      await ledger.close();
    });

    test('an ended row stays unchanged', async () => {
      const ledger = await open();
      const failed = { status: 'failed', code: 'platform_timeout' } as const;
      await ledger.charge(chargeOf('bad'));
      await ledger.charge(chargeOf('good'));
      await Promise.all([ledger.settle('bad', failed), ledger.settle('bad', failed)]);
      // Otherwise its caller would see a price that has been refunded.
      await assert.rejects(
        ledger.settle('bad', { status: 'ok', cached: false }),
        refusal('internal_error', /was refunded/),
      );
      await ledger.settle('good', { status: 'ok', cached: false });
      assert.equal(await ledger.settle('good', failed), 49_997);
      const endings = (await listed(ledger)).map((row) => [
        row.id,
        row.status,
        row.credits_charged,
        row.credits_refunded,
      ]);
      assert.deepEqual(endings, [
        ['good', 'ok', 3, 0],
        ['bad', 'failed', 0, 3],
      ]);
      await ledger.close();
    });

    test('ending a call that was never charged is a fault', async () => {
      const ledger = await open();
      await assert.rejects(ledger.settle('x', { status: 'ok', cached: false }), refusal('internal_error'));
      await ledger.close();
    });

    test('an id is charged once for ever, before and after its call has ended', async () => {
      const ledger = await open();
      await ledger.charge(chargeOf('a'));
      await assert.rejects(ledger.charge(chargeOf('a')), refusal('internal_error', /charged before/));
      await ledger.settle('a', { status: 'failed', code: null });
      await assert.rejects(ledger.charge(chargeOf('a')), refusal('internal_error'));
      assert.equal((await ledger.balance('local')).credits, 50_000);
      await ledger.close();
    });

    test('of equal ids at the same time one is charged', async () => {
      const ledger = await open();
      const tries = await Promise.allSettled(Array.from({ length: 20 }, () => ledger.charge(chargeOf('a'))));
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await ledger.balance('local')).credits, 49_997);
      await ledger.close();
    });

    test('a price that is not covered is refused with price and balance, and nothing is charged', async () => {
      const ledger = await account(2);
      const poor = chargeOf('a', { account: 'acct_a' });
      await assert.rejects(
        ledger.charge(poor),
        refusal('insufficient_credits', /costs 3 credits.*balance is 2 credits/),
      );
      assert.equal((await ledger.balance('acct_a')).credits, 2);
      assert.equal(await ledger.grant({ id: 'g', account: 'acct_a', credits: 1, kind: 'trial', at }), 3);
      await ledger.charge(poor);
      assert.equal(await ledger.settle('a', { status: 'ok', cached: false }), 0);
      await ledger.close();
    });

    test('of many concurrent calls only as many are charged as the balance covers', async () => {
      const ledger = await account(10);
      const tries = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) => ledger.charge(chargeOf(`${index}`, { account: 'acct_a' }))),
      );
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 3);
      for (const one of tries) {
        if (one.status === 'rejected') refusal('insufficient_credits')(one.reason);
      }
      assert.equal((await ledger.balance('acct_a')).credits, 1);
      await ledger.close();
    });

    test('fresh data needs an account that has bought, whatever its balance', async () => {
      const ledger = await account(500);
      const fresh = chargeOf('a', { account: 'acct_a', needsPack: true });
      await assert.rejects(ledger.charge(fresh), refusal('fresh_not_available'));
      assert.equal((await ledger.balance('acct_a')).credits, 500);
      await ledger.grant({ id: 'p', account: 'acct_a', credits: 50_000, kind: 'pack', at });
      await ledger.charge(fresh);
      assert.equal(await ledger.settle('a', { status: 'ok', cached: false }), 50_497);
      await ledger.close();
    });

    test('an invalid price or time is a fault', async () => {
      const ledger = await open();
      for (const credits of [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
        await assert.rejects(ledger.charge(chargeOf('a', { credits })), refusal('internal_error'));
      }
      await assert.rejects(ledger.charge(chargeOf('a', { at: Number.NaN })), refusal('internal_error'));
      assert.equal((await ledger.balance('local')).credits, 50_000);
      await ledger.close();
    });

    test('looking whether it can be written to changes nothing', async () => {
      const ledger = await open();
      await ledger.charge(chargeOf('a'));
      await ledger.checkWritable();
      assert.equal(await ledger.settle('a', { status: 'ok', cached: true }), 49_997);
      await Promise.all([ledger.checkWritable(), ledger.checkWritable()]);
      assert.deepEqual(await listed(ledger), [paidRow('a')]);
      assert.equal((await ledger.balance('local')).credits, 49_997);
      await ledger.close();
      await assert.rejects(ledger.checkWritable(), refusal('internal_error', /closed/));
    });

    test('a charge and its settlement may be requested together', async () => {
      const ledger = await open();
      const charged = ledger.charge(chargeOf('a'));
      assert.equal(await ledger.settle('a', { status: 'ok', cached: true }), 49_997);
      await charged;
      await ledger.close();
    });
  });

  describe(`${name}: the limit of a key`, () => {
    const limited = { id: 'key_1', name: 'laptop', monthlyCredits: 10 };
    const refused = refusal(
      'insufficient_credits',
      /“laptop” may spend 10 credits a month and has spent 9; this call costs 3\..*resets on \d{4}-\d{2}-01/,
    );

    test('is never exceeded, however many calls arrive together, charged or paid', async () => {
      for (const way of ['charge', 'pay'] as const) {
        const ledger = await open();
        const tries = await Promise.allSettled<unknown>(
          Array.from({ length: 30 }, (_, index) => ledger[way](chargeOf(`${index}`, { key: limited }))),
        );
        assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 3);
        for (const one of tries) if (one.status === 'rejected') refused(one.reason);
        assert.equal((await ledger.balance('local')).credits, 49_991);
        await ledger.close();
      }
    });

    test('has room again for what is refunded', async () => {
      const ledger = await open();
      const key = limited;
      for (const id of ['a', 'b', 'c']) await ledger.charge(chargeOf(id, { key }));
      await assert.rejects(ledger.charge(chargeOf('d', { key })), refused);
      await ledger.settle('a', { status: 'failed', code: 'platform_blocked' });
      await ledger.pay(chargeOf('d', { key }));
      await assert.rejects(pay(ledger, chargeOf('e', { key })), refused);
      await ledger.refund('d');
      await ledger.refund('d');
      await ledger.charge(chargeOf('e', { key }));
      await assert.rejects(ledger.charge(chargeOf('f', { key })), refused);
      await ledger.close();
    });

    test('counts calls from before it was set, and is that of its key alone', async () => {
      const ledger = await open();
      const { id, name: called } = limited;
      for (const one of ['a', 'b', 'c']) await ledger.pay(chargeOf(one, { key: { id, name: called } }));
      await assert.rejects(ledger.pay(chargeOf('d', { key: limited })), refused);
      await ledger.pay(chargeOf('d', { key: { ...limited, monthlyCredits: 12 } }));
      await ledger.pay(chargeOf('e', { key: { ...limited, id: 'key_2' } }));
      await ledger.pay(chargeOf('f'));
      await ledger.pay(chargeOf('g', { key: { ...limited, monthlyCredits: null } }));
      // What costs nothing is no matter of a limit.
      await ledger.pay(chargeOf('h', { key: { ...limited, monthlyCredits: 0 }, credits: 0 }));
      await ledger.close();
    });
  });

  describe(`${name}: durations`, () => {
    test('are shown as measured, and null if not measured', async () => {
      const ledger = await open();
      await ledger.pay(chargeOf('a', { at: minute(0), measures: { duration_ms: 2 } }));
      await ledger.charge(chargeOf('b', { at: minute(1) }));
      await ledger.settle('b', { status: 'ok', cached: false, measures: { duration_ms: 1234 } });
      await ledger.charge(chargeOf('c', { at: minute(2) }));
      await ledger.settle('c', {
        status: 'failed',
        code: 'platform_timeout',
        measures: { duration_ms: 45_000 },
      });
      await ended(ledger, 'd', { at: minute(3) });
      await ledger.refund('b');
      const durations = (await listed(ledger)).map(({ id, duration_ms }) => [id, duration_ms]);
      assert.deepEqual(durations, [
        ['d', null],
        ['c', 45_000],
        ['b', 1234],
        ['a', 2],
      ]);
      await ledger.close();
    });
  });

  describe(`${name}: paying`, () => {
    test('charges and ends a call in one: the row is there as it must be, and never waits', async () => {
      const ledger = await open();
      const key = { id: 'key_1', name: 'laptop' };
      assert.equal(await pay(ledger, chargeOf('a', { key, job: 'job_1' })), 49_997);
      assert.equal((await ledger.balance('local')).credits, 49_997);
      assert.deepEqual(await listed(ledger), [paidRow('a', { api_key: key, job_id: 'job_1' })]);
      await ledger.close();
    });

    test('ends it for good: later reports change nothing, and it is refunded only when undone', async () => {
      const ledger = await open();
      await pay(ledger, chargeOf('a'));
      assert.equal(await ledger.settle('a', { status: 'failed', code: 'platform_timeout' }), 49_997);
      assert.equal((await listed(ledger))[0]?.status, 'ok');
      assert.equal(await ledger.refund('a'), 50_000);
      assert.equal(await ledger.refund('a'), 50_000);
      await ledger.close();
    });

    test('accepts an ID once for ever, whether it was paid, charged or refunded', async () => {
      const ledger = await open();
      await pay(ledger, chargeOf('a'));
      await ledger.charge(chargeOf('b'));
      await ledger.charge(chargeOf('c'));
      await ledger.settle('c', { status: 'failed', code: null });
      for (const id of ['a', 'b', 'c']) {
        await assert.rejects(pay(ledger, chargeOf(id)), refusal('internal_error', /charged before/));
      }
      await assert.rejects(ledger.charge(chargeOf('a')), refusal('internal_error', /charged before/));
      assert.equal((await ledger.balance('local')).credits, 49_994);
      const tries = await Promise.allSettled(Array.from({ length: 20 }, () => pay(ledger, chargeOf('d'))));
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await ledger.balance('local')).credits, 49_991);
      await ledger.close();
    });

    test('refuses a price that is not covered, and leaves no trace of it', async () => {
      const ledger = await account(10);
      const poor = (id: string) => chargeOf(id, { account: 'acct_a' });
      const tries = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) => pay(ledger, poor(`${index}`))),
      );
      const balances = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.deepEqual(balances, [7, 4, 1]);
      for (const one of tries) {
        if (one.status === 'rejected') refusal('insufficient_credits', /balance is 1 credit\./)(one.reason);
      }
      assert.equal((await ledger.balance('acct_a')).credits, 1);
      assert.equal((await ledger.usage('acct_a', { limit: 100 })).rows.length, 3);
      // The id of a refused call is not spent.
      await ledger.grant({ id: 'g', account: 'acct_a', credits: 2, kind: 'trial', at });
      assert.equal(await pay(ledger, poor('29')), 0);
      await assert.rejects(
        pay(ledger, chargeOf('x', { account: 'acct_x' })),
        refusal('insufficient_credits'),
      );
      await ledger.close();
    });

    test('with fresh data needs an account that has bought', async () => {
      const ledger = await account(500);
      const fresh = chargeOf('a', { account: 'acct_a', needsPack: true });
      await assert.rejects(pay(ledger, fresh), refusal('fresh_not_available'));
      assert.equal((await ledger.balance('acct_a')).credits, 500);
      await ledger.grant({ id: 'p', account: 'acct_a', credits: 50_000, kind: 'pack', at });
      assert.equal(await pay(ledger, fresh), 50_497);
      await ledger.close();
    });

    test('with an invalid price or time is a fault', async () => {
      const ledger = await open();
      for (const credits of [-1, 0.5, Number.NaN]) {
        await assert.rejects(pay(ledger, chargeOf('a', { credits })), refusal('internal_error'));
      }
      await assert.rejects(pay(ledger, chargeOf('a', { at: Number.NaN })), refusal('internal_error'));
      assert.equal(await pay(ledger, chargeOf('a', { credits: 0 })), 50_000);
      await ledger.close();
    });

    test('resumes: reserved, refunded or paid before, the price is charged once', async () => {
      const ledger = await account(10);
      const mine = (id: string, resumes = true) => chargeOf(id, { account: 'acct_a', resumes });
      await ledger.charge(mine('held', false));
      assert.equal(await pay(ledger, mine('held')), 7);
      await ledger.charge(mine('back', false));
      await ledger.settle('back', { status: 'failed', code: 'platform_timeout' });
      assert.equal(await pay(ledger, mine('back')), 4);
      assert.equal(await pay(ledger, mine('back')), 4);
      assert.equal(await pay(ledger, mine('new')), 1);
      const { rows } = await ledger.usage('acct_a', { limit: 10 });
      for (const row of rows) {
        assert.deepEqual(
          [row.status, row.error_code, row.credits_charged, row.credits_refunded, row.cached],
          ['ok', null, 3, 0, true],
        );
      }
      await assert.rejects(pay(ledger, chargeOf('held', { resumes: true })), refusal('internal_error'));
      await assert.rejects(pay(ledger, mine('poor')), refusal('insufficient_credits'));
      assert.equal((await ledger.balance('acct_a')).credits, 1);
      await ledger.close();
    });
  });

  ledgerReadingPort(name, open);

  describe(`${name}: usage`, () => {
    test('a last page that is full has no next one', async () => {
      const ledger = await open();
      await Promise.all(['a', 'b', 'c', 'd'].map((id) => ended(ledger, id)));
      const first = await ledger.usage('local', { limit: 2 });
      assert.equal(first.next, 'c');
      const second = await ledger.usage('local', { limit: 2, before: 'c' });
      assert.deepEqual([second.rows.map(({ id }) => id), second.next], [['b', 'a'], null]);
      await ledger.close();
    });

    test('a place in the pages holds for other filters, and is none in the calls of another account', async () => {
      const ledger = await account(100);
      await ended(ledger, 'a', { at: minute(0) });
      await ended(ledger, 'b', { at: minute(1), endpoint: 'maps/photos' });
      await ended(ledger, 'd', { at: minute(3) });
      await ended(ledger, 'theirs', { account: 'acct_a' });
      const ids = (await listed(ledger, { before: 'd', endpoint: 'maps/place' })).map(({ id }) => id);
      assert.deepEqual(ids, ['a']);
      await assert.rejects(ledger.usage('local', { limit: 5, before: 'theirs' }), refusal('invalid_cursor'));
      await ledger.close();
    });
  });

  describe(`${name}: closing`, () => {
    test('finishes pending requests first, and accepts none after', async () => {
      const ledger = await open();
      const charged = ledger.charge(chargeOf('a'));
      const settled = ledger.settle('a', { status: 'ok', cached: false });
      await ledger.close();
      await charged;
      assert.equal(await settled, 49_997);
      await assert.rejects(ledger.balance('local'), refusal('internal_error', /closed/));
      await ledger.close();
    });

    test('a ledger that was never used closes', async () => {
      await (await open()).close();
    });
  });
}
