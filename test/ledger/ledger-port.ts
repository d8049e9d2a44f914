import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { unmeasured } from '../../lib/ledger/call-row.js';
import type { Charge, Grant, Ledger, UsageQuery } from '../../lib/ledger/ledger.js';
import type { UsagePage } from '../../lib/ledger/usage.js';
import type { UsageRow } from '../../lib/ledger/usage-row.js';

export const at = '2026-01-01T00:00:00.000Z';

/** A charge of three credits to the local account, with what matters to the test changed. */
export function chargeOf(id: string, changes: Partial<Charge> = {}): Charge {
  const price = { endpoint: 'maps/place', credits: 3, needsPack: false };
  return { id, account: 'local', ...price, at: Date.parse(at), ...changes };
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

/** Asserts that each call rejects as a port does whose driver failed. */
export async function assertFaults(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const call of await Promise.allSettled(calls)) {
    assert.ok(call.status === 'rejected');
    refusal('internal_error')(call.reason);
  }
}

const listed = async (ledger: Ledger, query: Partial<UsageQuery> = {}) =>
  (await ledger.usage('local', { limit: 100, ...query })).rows;

/** Charges a call and ends it with an answer. */
async function ended(ledger: Ledger, id: string, changes: Partial<Charge> = {}): Promise<void> {
  await ledger.charge(chargeOf(id, changes));
  await ledger.settle(id, { status: 'ok', cached: false });
}

const minute = (count: number) => Date.parse(at) + count * 60_000;

/** Grants credits to `acct_a` in a trial, with what matters to the test changed. */
const grant = (ledger: Ledger, credits: number, changes: Partial<Grant> = {}) =>
  ledger.grant({ id: 'first', account: 'acct_a', credits, kind: 'trial', at, ...changes });

/** Returns the function that declares a test of a ledger, which is opened before it and closed after. */
const itWith = (open: () => Promise<Ledger>) => (title: string, body: (ledger: Ledger) => Promise<void>) =>
  test(title, async () => {
    const ledger = await open();
    await body(ledger);
    await ledger.close();
  });

const fulfilled = (tries: readonly PromiseSettledResult<unknown>[]) =>
  tries.filter(({ status }) => status === 'fulfilled').length;

/** The two ways to take a price: before the call and together with its row. */
const ways = ['charge', 'pay'] as const;

/**
 * What every ledger shows of what was written to it, one that only reads included. `open` gives one with nothing in it
 * but the local account, whose writing may take another way than its reading.
 */
export function ledgerReadingPort(name: string, open: () => Promise<Ledger>): void {
  const it = itWith(open);
  const isoMinute = (count: number) => new Date(minute(count)).toISOString();

  describe(`${name}: reading`, () => {
    it('counts what was granted less what is charged', async (ledger) => {
      const before = await ledger.balance('local');
      assert.deepEqual([before.credits, before.bought], [50_000, true]);
      await ended(ledger, 'a');
      await ledger.charge(chargeOf('b'));
      assert.deepEqual(await ledger.balance('local'), { ...before, credits: 49_994 });
      await ledger.settle('b', { status: 'failed', code: 'platform_blocked' });
      assert.equal((await ledger.balance('local')).credits, 49_997);
    });

    it('shows a call once it has ended, with its key, its job, and what it cost', async (ledger) => {
      const key = { id: 'key_1', name: 'laptop' };
      await ledger.charge(chargeOf('a', { key, job: 'job_1' }));
      assert.deepEqual(await listed(ledger), []);
      await ledger.settle('a', { status: 'failed', code: 'platform_blocked' });
      await ended(ledger, 'b', { at: minute(1) });
      await ledger.charge(chargeOf('aborted', { at: minute(2) }));
      await ledger.settle('aborted', { status: 'failed', code: null });
      const failed = { status: 'failed', credits_charged: 0, credits_refunded: 3, cached: false } as const;
      assert.deepEqual(await listed(ledger), [
        paidRow('aborted', { ...failed, created_at: isoMinute(2) }),
        paidRow('b', { created_at: isoMinute(1), cached: false }),
        paidRow('a', { ...failed, error_code: 'platform_blocked', api_key: key, job_id: 'job_1' }),
      ]);
    });

    it('pages from the newest call to the oldest, each once, equal times ordered by ID', async (ledger) => {
      const ids = Array.from({ length: 23 }, (_, index) => `r${String(index).padStart(2, '0')}`);
      await Promise.all(ids.map((id, index) => ended(ledger, id, { at: minute(Math.floor(index / 4)) })));
      const pagedIds: string[] = [];
      for (let before: string | null | undefined; before !== null; ) {
        const { rows, next }: UsagePage = await ledger.usage('local', { limit: 5, before });
        pagedIds.push(...rows.map(({ id }) => id));
        before = next;
      }
      assert.deepEqual(pagedIds, ids.toReversed());
    });

    it('keeps pages stable while calls are added, and ends with a full one', async (ledger) => {
      await Promise.all(['a', 'b', 'c'].map((id) => ended(ledger, id)));
      const { next } = await ledger.usage('local', { limit: 1 });
      await ended(ledger, 'd', { at: minute(1) });
      const second = await ledger.usage('local', { limit: 2, before: next ?? '' });
      assert.deepEqual([second.rows.map(({ id }) => id), second.next], [['b', 'a'], null]);
    });

    it('filters by time (from inclusive, to exclusive), endpoint and job, also together', async (ledger) => {
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
    });

    it('shows each account its own calls, and refuses a wrong cursor or time', async (ledger) => {
      await grant(ledger, 100);
      await ended(ledger, 'mine');
      await ended(ledger, 'theirs', { account: 'acct_a' });
      const ids = (await listed(ledger)).map(({ id }) => id);
      assert.deepEqual(ids, ['mine']);
      for (const before of ['nowhere', 'theirs'])
        await assert.rejects(ledger.usage('local', { limit: 5, before }), refusal('invalid_cursor'));
      await assert.rejects(ledger.usage('local', { limit: 5, from: 'soon' }), refusal('invalid_parameter'));
    });
  });
}

/** What every ledger does. `open` gives one with nothing in it but the local account. */
export function ledgerPort(name: string, open: () => Promise<Ledger>): void {
  const it = itWith(open);

  describe(`${name}: accounts`, () => {
    it('opens the local account with one pack of 50,000, and gives an unknown account nothing', async (ledger) => {
      assert.deepEqual(await ledger.balance('local'), { account: 'local', credits: 50_000, bought: true });
      assert.deepEqual(await ledger.balance('acct_x'), { account: 'acct_x', credits: 0, bought: false });
    });

    it('counts a grant once, whatever arrives under its ID later', async (ledger) => {
      await grant(ledger, 100);
      assert.equal(await grant(ledger, 900, { kind: 'pack' }), 100);
      assert.deepEqual(await ledger.balance('acct_a'), { account: 'acct_a', credits: 100, bought: false });
    });

    it('marks an account as one that has bought with its first pack, for good', async (ledger) => {
      await grant(ledger, 100);
      assert.equal((await ledger.balance('acct_a')).bought, false);
      assert.equal(await grant(ledger, 50_000, { id: 'p', kind: 'pack' }), 50_100);
      assert.equal(await grant(ledger, 500, { id: 't' }), 50_600);
      assert.equal((await ledger.balance('acct_a')).bought, true);
    });

    it('refuses a grant that is not a count, or that the balance cannot count exactly', async (ledger) => {
      const pack = { id: 'g', account: 'local', kind: 'pack' } as const;
      for (const credits of [0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER]) {
        await assert.rejects(grant(ledger, credits, pack), refusal('internal_error'));
      }
      assert.equal(await grant(ledger, 1, pack), 50_001);
    });
  });

  describe(`${name}: charging`, () => {
    it('leaves the row of an ended call unchanged', async (ledger) => {
      const failed = { status: 'failed', code: 'platform_timeout' } as const;
      await ledger.charge(chargeOf('bad'));
      await ledger.charge(chargeOf('good'));
      await Promise.all([ledger.settle('bad', failed), ledger.settle('bad', failed)]);
      // Otherwise its caller would see a price that has been refunded.
      const settling = ledger.settle('bad', { status: 'ok', cached: false });
      await assert.rejects(settling, refusal('internal_error', /was refunded/));
      await ledger.settle('good', { status: 'ok', cached: false });
      assert.equal(await ledger.settle('good', failed), 49_997);
      const endings = (await listed(ledger)).map(
        (row) => `${row.id} ${row.status} ${row.credits_charged} ${row.credits_refunded}`,
      );
      assert.deepEqual(endings, ['good ok 3 0', 'bad failed 0 3']);
    });

    it('refuses to end a call that was never charged', async (ledger) => {
      await assert.rejects(ledger.settle('x', { status: 'ok', cached: false }), refusal('internal_error'));
    });

    it('refuses a price that the balance does not cover, and leaves no trace of it', async (ledger) => {
      for (const way of ways) {
        const account = `acct_${way}`;
        await grant(ledger, 2, { id: way, account });
        const poor = chargeOf(way, { account });
        const message = /costs 3 credits.*balance is 2 credits/;
        await assert.rejects(ledger[way](poor), refusal('insufficient_credits', message));
        assert.equal((await ledger.balance(account)).credits, 2);
        // The ID of a refused call is free.
        assert.equal(await grant(ledger, 1, { id: `${way} 2`, account }), 3);
        await ledger[way](poor);
        assert.equal(await ledger.settle(way, { status: 'ok', cached: true }), 0);
        const stranger = chargeOf('x', { account: 'acct_x' });
        await assert.rejects(ledger[way](stranger), refusal('insufficient_credits'));
      }
    });

    it('takes as many of many concurrent prices as the balance covers', async (ledger) => {
      for (const way of ways) {
        const account = `acct_${way}`;
        await grant(ledger, 10, { id: way, account });
        const tries = await Promise.allSettled(
          Array.from({ length: 30 }, (_, index) => ledger[way](chargeOf(`${way} ${index}`, { account }))),
        );
        assert.equal(fulfilled(tries), 3);
        for (const one of tries) {
          if (one.status === 'rejected') refusal('insufficient_credits', /balance is 1 credit\./)(one.reason);
        }
        assert.equal((await ledger.balance(account)).credits, 1);
      }
    });

    it('accepts an ID once for ever, whether it was charged, paid or refunded', async (ledger) => {
      await ledger.pay(chargeOf('paid'));
      await ledger.charge(chargeOf('charged'));
      await ledger.charge(chargeOf('refunded'));
      await ledger.settle('refunded', { status: 'failed', code: null });
      for (const way of ways) {
        for (const id of ['paid', 'charged', 'refunded']) {
          await assert.rejects(ledger[way](chargeOf(id)), refusal('internal_error', /charged before/));
        }
      }
      assert.equal((await ledger.balance('local')).credits, 49_994);
      for (const way of ways) {
        const tries = Array.from({ length: 20 }, () => ledger[way](chargeOf(`${way} d`)));
        assert.equal(fulfilled(await Promise.allSettled<unknown>(tries)), 1);
      }
      assert.equal((await ledger.balance('local')).credits, 49_988);
    });

    it('charges fresh data only to an account that has bought, whatever its balance', async (ledger) => {
      await grant(ledger, 500);
      const fresh = (id: string) => chargeOf(id, { account: 'acct_a', needsPack: true });
      for (const way of ways) await assert.rejects(ledger[way](fresh(way)), refusal('fresh_not_available'));
      assert.equal((await ledger.balance('acct_a')).credits, 500);
      await grant(ledger, 50_000, { id: 'p', kind: 'pack' });
      for (const way of ways) await ledger[way](fresh(way));
      assert.equal((await ledger.balance('acct_a')).credits, 50_494);
    });

    it('treats an invalid price or time as a fault', async (ledger) => {
      for (const way of ways) {
        const invalid = [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1].map((credits) => ({ credits }));
        for (const changes of [...invalid, { at: Number.NaN }]) {
          await assert.rejects(ledger[way](chargeOf('a', changes)), refusal('internal_error'));
        }
      }
      assert.equal(await ledger.pay(chargeOf('a', { credits: 0 })), 50_000);
    });

    it('changes nothing when it checks whether it can be written', async (ledger) => {
      await ledger.charge(chargeOf('a'));
      await ledger.checkWritable();
      assert.equal(await ledger.settle('a', { status: 'ok', cached: true }), 49_997);
      await Promise.all([ledger.checkWritable(), ledger.checkWritable()]);
      assert.deepEqual(await listed(ledger), [paidRow('a')]);
      assert.equal((await ledger.balance('local')).credits, 49_997);
      await ledger.close();
      await assert.rejects(ledger.checkWritable(), refusal('internal_error', /closed/));
    });

    it('accepts a charge and its settlement at the same time', async (ledger) => {
      const charged = ledger.charge(chargeOf('a'));
      assert.equal(await ledger.settle('a', { status: 'ok', cached: true }), 49_997);
      await charged;
    });
  });

  describe(`${name}: the limit of a key`, () => {
    const limited = { id: 'key_1', name: 'laptop', monthlyCredits: 10 };
    const refused = refusal(
      'insufficient_credits',
      /“laptop” may spend 10 credits a month and has spent 9; this call costs 3\..*resets on \d{4}-\d{2}-01/,
    );

    it('is never exceeded, however many calls arrive together', async (ledger) => {
      for (const way of ways) {
        const key = { ...limited, id: `key_${way}` };
        const tries = Array.from({ length: 30 }, (_, index) =>
          ledger[way](chargeOf(`${way} ${index}`, { key })),
        );
        const results = await Promise.allSettled<unknown>(tries);
        assert.equal(fulfilled(results), 3);
        for (const one of results) if (one.status === 'rejected') refused(one.reason);
      }
      assert.equal((await ledger.balance('local')).credits, 50_000 - 2 * 9);
    });

    it('has room again for what is refunded', async (ledger) => {
      const key = limited;
      for (const id of ['a', 'b', 'c']) await ledger.charge(chargeOf(id, { key }));
      await assert.rejects(ledger.charge(chargeOf('d', { key })), refused);
      await ledger.settle('a', { status: 'failed', code: 'platform_blocked' });
      await ledger.pay(chargeOf('d', { key }));
      await assert.rejects(ledger.pay(chargeOf('e', { key })), refused);
      await ledger.refund('d');
      await ledger.refund('d');
      await ledger.charge(chargeOf('e', { key }));
      await assert.rejects(ledger.charge(chargeOf('f', { key })), refused);
    });

    it('counts calls from before it was set, and applies to its key alone', async (ledger) => {
      const { id, name: called } = limited;
      for (const one of ['a', 'b', 'c']) await ledger.pay(chargeOf(one, { key: { id, name: called } }));
      await assert.rejects(ledger.pay(chargeOf('d', { key: limited })), refused);
      await assert.rejects(ledger.pay(chargeOf('d', { key: { ...limited, monthlyCredits: 11 } })));
      await ledger.pay(chargeOf('d', { key: { ...limited, monthlyCredits: 12 } }));
      await ledger.pay(chargeOf('e', { key: { ...limited, id: 'key_2' } }));
      await ledger.pay(chargeOf('f'));
      await ledger.pay(chargeOf('g', { key: { ...limited, monthlyCredits: null } }));
      // What costs nothing is no matter of a limit.
      await ledger.pay(chargeOf('h', { key: { ...limited, monthlyCredits: 0 }, credits: 0 }));
    });
  });

  describe(`${name}: durations`, () => {
    it('are shown as measured, or as null', async (ledger) => {
      await ledger.pay(chargeOf('a', { at: minute(0), measures: { duration_ms: 2 } }));
      await ledger.charge(chargeOf('b', { at: minute(1) }));
      await ledger.settle('b', { status: 'ok', cached: false, measures: { duration_ms: 1234 } });
      await ledger.charge(chargeOf('c', { at: minute(2) }));
      const measures = { duration_ms: 45_000 };
      await ledger.settle('c', { status: 'failed', code: 'platform_timeout', measures });
      await ended(ledger, 'd', { at: minute(3) });
      await ledger.refund('b');
      const durations = (await listed(ledger)).map(({ id, duration_ms }) => `${id} ${duration_ms}`);
      assert.deepEqual(durations, ['d null', 'c 45000', 'b 1234', 'a 2']);
    });
  });

  describe(`${name}: paying`, () => {
    it('charges and ends a call in one step', async (ledger) => {
      const key = { id: 'key_1', name: 'laptop' };
      assert.equal(await ledger.pay(chargeOf('a', { key, job: 'job_1' })), 49_997);
      assert.equal((await ledger.balance('local')).credits, 49_997);
      assert.deepEqual(await listed(ledger), [paidRow('a', { api_key: key, job_id: 'job_1' })]);
    });

    it('ends a call for good: only an undo refunds it', async (ledger) => {
      await ledger.pay(chargeOf('a'));
      assert.equal(await ledger.settle('a', { status: 'failed', code: 'platform_timeout' }), 49_997);
      assert.equal((await listed(ledger))[0]?.status, 'ok');
      assert.equal(await ledger.refund('a'), 50_000);
      assert.equal(await ledger.refund('a'), 50_000);
    });

    it('charges a resumed call once, whether it was reserved, refunded or paid before', async (ledger) => {
      await grant(ledger, 10);
      const mine = (id: string, resumes = true) => chargeOf(id, { account: 'acct_a', resumes });
      await ledger.charge(mine('held', false));
      assert.equal(await ledger.pay(mine('held')), 7);
      await ledger.charge(mine('back', false));
      await ledger.settle('back', { status: 'failed', code: 'platform_timeout' });
      assert.equal(await ledger.pay(mine('back')), 4);
      assert.equal(await ledger.pay(mine('back')), 4);
      assert.equal(await ledger.pay(mine('new')), 1);
      const { rows } = await ledger.usage('acct_a', { limit: 10 });
      for (const row of rows) {
        assert.partialDeepStrictEqual(row, {
          ...{ status: 'ok', error_code: null, credits_charged: 3, credits_refunded: 0, cached: true },
        });
      }
      const foreign = chargeOf('held', { resumes: true });
      for (const way of ways)
        await assert.rejects(ledger[way](foreign), refusal('internal_error', /charged before/));
      await assert.rejects(ledger.pay(mine('poor')), refusal('insufficient_credits'));
      assert.equal((await ledger.balance('acct_a')).credits, 1);
    });
  });

  ledgerReadingPort(name, open);

  describe(`${name}: usage`, () => {
    it('accepts a cursor with other filters', async (ledger) => {
      await ended(ledger, 'a', { at: minute(0) });
      await ended(ledger, 'b', { at: minute(1), endpoint: 'maps/photos' });
      await ended(ledger, 'd', { at: minute(3) });
      const ids = (await listed(ledger, { before: 'd', endpoint: 'maps/place' })).map(({ id }) => id);
      assert.deepEqual(ids, ['a']);
    });
  });

  describe(`${name}: closing`, () => {
    it('finishes pending requests first, and accepts none after', async (ledger) => {
      const charged = ledger.charge(chargeOf('a'));
      const settled = ledger.settle('a', { status: 'ok', cached: false });
      await ledger.close();
      await charged;
      assert.equal(await settled, 49_997);
      await assert.rejects(ledger.balance('local'), refusal('internal_error', /closed/));
    });

    test('closes a ledger that was never used', async () => {
      await (await open()).close();
    });
  });
}
