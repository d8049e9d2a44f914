import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { refusal } from '../../../ledger/ledger-port.js';
import { storeKinds } from '../../../support/stores.js';
import { email } from '../hosted.js';
import { selling, sellingThroughStripe } from './selling.js';

for (const kind of storeKinds)
  for (const [way, open] of [
    ['by hand', () => selling(kind)],
    ['through Stripe', (t: TestContext) => sellingThroughStripe(t, kind)],
  ] as const)
    describe(`payments ${way}, ${kind.name}`, { skip: kind.skip }, () => {
      test('sells four packs, at the prices of the operator', async (t) => {
        const { payments } = await open(t);
        assert.deepEqual(payments.packs, [
          { credits: 50_000, amount: 4900, currency: 'EUR' },
          { credits: 250_000, amount: 19_900, currency: 'EUR' },
          { credits: 1_000_000, amount: null, currency: 'EUR' },
          { credits: 5_000_000, amount: null, currency: 'EUR' },
        ]);
        const { account } = await open(t);
        for (const credits of [0, 1, 49_999, -50_000, Number.NaN]) {
          await assert.rejects(
            payments.begin(account, credits, email),
            refusal('invalid_parameter', /no pack/),
          );
        }
        assert.deepEqual(await payments.list(account), []);
      });

      test('records an order, and returns the same one when repeated', async (t) => {
        const { payments, account, clock, credits } = await open(t);
        const { purchase } = await payments.begin(account, 50_000, email);
        assert.match(purchase.id, /^pur_[0-9A-Z]{26}$/);
        assert.deepEqual(purchase, {
          ...{ id: purchase.id, account, credits: 50_000, amount: 4900, currency: 'EUR' },
          ...{ method: payments.method, status: 'open', created_at: '2026-06-01T12:00:00.000Z' },
          ...{ paid_at: null, receipt: null, buyer: null },
        });
        await clock.advance(1000);
        assert.deepEqual((await payments.begin(account, 50_000, email)).purchase, purchase);
        const other = await payments.begin(account, 250_000, email);
        const ids = (await payments.list(account)).map(({ id }) => id);
        assert.deepEqual(ids, [other.purchase.id, purchase.id]);
        const all = await Promise.all(
          Array.from({ length: 20 }, () => payments.begin(account, 250_000, email)),
        );
        assert.equal(new Set(all.map((one) => one.purchase.id)).size, 1);
        assert.equal(await credits(), 0);
      });

      test('hides other accounts’ purchases', async (t) => {
        const { payments, account, create } = await open(t);
        const { id: other } = await create({ email: 'bob@example.com' });
        const { purchase } = await payments.begin(account, 50_000, email);
        assert.equal(await payments.find(other, purchase.id), null);
        assert.equal(await payments.resume(other, purchase.id, 'bob@example.com'), null);
        assert.deepEqual(await payments.list(other), []);
        assert.equal(await payments.find(account, 'pur_none'), null);
        assert.deepEqual(await payments.find(account, purchase.id), purchase);
      });

      test('can be continued while the order is open', async (t) => {
        const { payments, account, accounts } = await open(t);
        const { purchase, next } = await payments.begin(account, 50_000, email);
        assert.deepEqual(await payments.resume(account, purchase.id, email), next);
        await accounts.delete(account);
        assert.equal((await payments.find(account, purchase.id))?.status, 'cancelled');
        assert.equal(await payments.resume(account, purchase.id, email), null);
      });

      test('the operator confirms: credits and receipt in one', async (t) => {
        const { payments, account, clock, credits, accounts, state } = await open(t);
        await clock.advance(60_000);
        const paid = await payments.confirmByHand(account, 7);
        assert.partialDeepStrictEqual(paid, {
          ...{
            credits: 7,
            amount: null,
            method: 'hand',
            status: 'paid',
            paid_at: '2026-06-01T12:01:00.000Z',
          },
        });
        assert.deepEqual(await payments.list(account), [paid]);
        assert.equal(await credits(), 7);
        assert.equal((await accounts.get(account))?.bought, true);
        await assert.rejects(payments.confirmByHand('acct_none', 7), refusal('invalid_parameter'));
        for (const none of [0, -1, 1.5]) await assert.rejects(payments.confirmByHand(account, none));
        assert.equal((await payments.list(account)).length, 1);
        await state.assertSound();
      });
    });

for (const kind of storeKinds)
  describe(`payments that the operator confirms, ${kind.name}`, { skip: kind.skip }, () => {
    test('tell how to pay: in the operator’s words, or to ask', async () => {
      const { payments, account } = await selling(kind);
      const { purchase, next } = await payments.begin(account, 50_000, email);
      assert.ok(next.kind === 'instructions' && next.text.includes(purchase.id));
      const configured = await selling(kind, { settings: { EXTRACT_PAYMENT_TEXT: 'Send gold.' } });
      const { next: gold } = await configured.payments.begin(configured.account, 1_000_000, email);
      assert.deepEqual(gold, { kind: 'instructions', text: 'Send gold.' });
    });

    test('pay the oldest order of so many credits, one for each confirmation', async () => {
      const { payments, account, clock, credits } = await selling(kind);
      const { purchase } = await payments.begin(account, 50_000, email);
      await payments.begin(account, 250_000, email);
      await clock.advance(1000);
      const paid = await payments.confirmByHand(account, 50_000);
      assert.deepEqual([paid.id, paid.amount, paid.status], [purchase.id, 4900, 'paid']);
      const byHand = await payments.confirmByHand(account, 50_000);
      assert.notEqual(byHand.id, purchase.id);
      assert.equal(await credits(), 100_000);
      const statuses = (await payments.list(account)).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), ['open', 'paid', 'paid']);
    });

    test('number their receipts without a gap, whatever is paid concurrently and whatever fails', async () => {
      const one = await selling(kind);
      const two = await selling(kind, { state: one.state, clock: one.clock });
      const { id: bob } = await one.create({ email: 'bob@example.com' });
      await Promise.allSettled(
        Array.from({ length: 12 }, (_, at) => {
          const account = at % 3 === 0 ? 'acct_none' : at % 2 === 0 ? bob : one.account;
          return (at % 4 < 2 ? one : two).purchases.payByHand(account, 50_000 + at, 'EUR');
        }),
      );
      const all = [...(await one.payments.list(one.account)), ...(await two.payments.list(bob))];
      const receipts = all.map(({ receipt }) => receipt).toSorted((a, b) => Number(a) - Number(b));
      assert.deepEqual(receipts, [1, 2, 3, 4, 5, 6, 7, 8]);
      const { purchase } = await one.payments.begin(bob, 250_000, email);
      const ends = await Promise.all([one, two, one].map(({ purchases }) => purchases.pay(purchase.id)));
      assert.deepEqual(ends.toSorted(), ['open', 'paid', 'paid']);
      assert.equal((await two.purchases.get(purchase.id))?.receipt, 9);
      await one.state.assertSound();
    });

    test('of an order whose price has changed are another order', async () => {
      const before = await selling(kind);
      const { purchase } = await before.payments.begin(before.account, 50_000, email);
      const { state, clock } = before;
      const dearer = await selling(kind, { state, clock, settings: { EXTRACT_PACK_PRICES: '50000=59.00' } });
      const second = await dearer.payments.begin(dearer.account, 50_000, email);
      assert.notEqual(second.purchase.id, purchase.id);
      assert.equal(second.purchase.amount, 5900);
      assert.equal((await dearer.payments.confirmByHand(dearer.account, 50_000)).id, purchase.id);
    });

    test('take no events', async () => {
      const { payments } = await selling(kind);
      const taken = payments.applyStripeEvent(Buffer.from('{}'), 't=1,v1=00');
      await assert.rejects(taken, refusal('invalid_parameter', /does not accept payments through Stripe/));
    });
  });
