import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { refusal } from '../../../ledger/ledger-port.js';
import { fakeStripe, sessionEvent, signPayload } from '../../../support/fake-stripe.js';
import { forwardProxy } from '../../../support/forward-proxy.js';
import { storeKinds } from '../../../support/stores.js';
import { email, webhookSecret } from '../hosted.js';
import { selling, sellingThroughStripe } from './selling.js';

const hour = 3_600_000;

for (const kind of storeKinds)
  describe(`the payment page, ${kind.name}`, { skip: kind.skip }, () => {
    test('is made at Stripe, once for an order', async (t) => {
      const { stripe, payments, account } = await sellingThroughStripe(t, kind);
      const { purchase, next } = await payments.begin(account, 50_000, email);
      assert.deepEqual(next, { kind: 'redirect', url: 'https://checkout.test/cs_test_1' });
      const [request] = stripe.requests;
      assert.equal(request?.idempotencyKey, purchase.id);
      assert.equal(request.authorization, 'Bearer sk_test_1');
      assert.deepEqual(request.fields, {
        mode: 'payment',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': '4900',
        'line_items[0][price_data][product_data][name]': '50,000 credits',
        'adaptive_pricing[enabled]': 'false',
        client_reference_id: purchase.id,
        'metadata[purchase]': purchase.id,
        customer_email: email,
        success_url: `https://x.test/dashboard/packs?order=${purchase.id}`,
        cancel_url: 'https://x.test/dashboard/packs',
      });
      assert.deepEqual((await payments.begin(account, 50_000, email)).next, next);
      assert.deepEqual(await payments.resume(account, purchase.id, email), next);
      assert.equal(new Set(stripe.requests.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
    });

    test('is for packs with a price', async (t) => {
      const { stripe, payments, account } = await sellingThroughStripe(t, kind);
      const begun = payments.begin(account, 1_000_000, email);
      await assert.rejects(begun, refusal('invalid_parameter', /no price/));
      assert.deepEqual([stripe.requests, await payments.list(account)], [[], []]);
    });

    test('that cannot be created is reported, without the key, and can be requested again', async (t) => {
      const { stripe, payments, account } = await sellingThroughStripe(t, kind);
      stripe.faults.push(400);
      await assert.rejects(payments.begin(account, 50_000, email), (error: Error) => {
        assert.match(error.message, /is not available/);
        assert.ok(!`${error.message}${(error.cause as Error).message}`.includes('sk_test_1'));
        return true;
      });
      const { next } = await payments.begin(account, 50_000, email);
      assert.equal(next.kind, 'redirect');
      // Stripe may answer the first key with the same fault for a day.
      assert.notEqual(stripe.requests[0]?.idempotencyKey, stripe.requests[1]?.idempotencyKey);
      assert.deepEqual((await payments.list(account)).map(({ status }) => status).toSorted(), [
        'cancelled',
        'open',
      ]);
    });

    test('is requested again, under the same key, when Stripe fails', async (t) => {
      const { stripe, payments, account } = await sellingThroughStripe(t, kind);
      stripe.faults.push(500);
      const { purchase } = await payments.begin(account, 50_000, email);
      const keys = stripe.requests.map(({ idempotencyKey }) => idempotencyKey);
      assert.deepEqual(keys, [purchase.id, purchase.id]);
    });

    test('is requested through the configured proxy', async (t) => {
      const stripe = await fakeStripe(t);
      const proxy = await forwardProxy(t, { port: stripe.host.port });
      const { payments, account } = await selling(kind, {
        stripe: { ...stripe.host, host: 'stripe.test' },
        proxy: { httpProxy: proxy.url, httpsProxy: proxy.url },
      });
      const { next } = await payments.begin(account, 50_000, email);
      assert.equal(next.kind, 'redirect');
      assert.deepEqual(proxy.tunnels, [`stripe.test:${stripe.host.port}`]);
      assert.equal(stripe.requests.length, 1);
    });

    test('expires after a day: the next order is a new one', async (t) => {
      const { payments, account, clock } = await sellingThroughStripe(t, kind);
      const { purchase } = await payments.begin(account, 50_000, email);
      await clock.advance(23 * hour);
      assert.equal(await payments.resume(account, purchase.id, email), null);
      const second = await payments.begin(account, 50_000, email);
      assert.notEqual(second.purchase.id, purchase.id);
      assert.equal((await payments.find(account, purchase.id))?.status, 'open');
      await clock.advance(3 * hour);
      await payments.begin(account, 250_000, email);
      assert.equal((await payments.find(account, purchase.id))?.status, 'cancelled');
    });

    test('uses the minor units of each currency', async (t) => {
      for (const [currency, price, amount, minorUnits] of [
        ['jpy', '7900', 7900, '7900'],
        ['KWD', '15.000', 15_000, '15000'],
        ['ISK', '6900', 6900, '690000'],
        // The tables of ICU have given these no hundredths since 2025; ISO 4217 and Stripe do.
        ['HUF', '19900', 1_990_000, '1990000'],
        ['IDR', '750000.00', 75_000_000, '75000000'],
        ['MGA', '200000', 20_000_000, '200000'],
      ] as const) {
        const settings = { EXTRACT_CURRENCY: currency, EXTRACT_PACK_PRICES: `50000=${price}` };
        const { stripe, payments, account, happen, credits } = await sellingThroughStripe(t, kind, {
          settings,
        });
        const { purchase } = await payments.begin(account, 50_000, email);
        assert.deepEqual([purchase.amount, purchase.currency], [amount, currency.toUpperCase()]);
        const { fields } = stripe.requests.at(-1) ?? {};
        assert.equal(fields?.['line_items[0][price_data][unit_amount]'], minorUnits);
        const paid = { amount: Number(minorUnits), currency: currency.toLowerCase() };
        await happen({ type: 'completed', purchase: purchase.id, ...paid });
        assert.equal(await credits(), 50_000);
      }
    });
  });

for (const kind of storeKinds)
  describe(`the events of Stripe, ${kind.name}`, { skip: kind.skip }, () => {
    async function ordered(t: TestContext) {
      const here = await sellingThroughStripe(t, kind);
      const { id } = (await here.payments.begin(here.account, 50_000, email)).purchase;
      const status = async () => (await here.payments.find(here.account, id))?.status;
      return { ...here, id, status, outcome: async () => [await status(), await here.credits()] };
    }

    test('pay an order: credits and receipt', async (t) => {
      const { id, happen, credits, payments, account, clock, troubles, state } = await ordered(t);
      await clock.advance(5000);
      await happen({ type: 'completed', purchase: id });
      const paid = await payments.find(account, id);
      assert.deepEqual([paid?.status, paid?.paid_at], ['paid', '2026-06-01T12:00:05.000Z']);
      assert.equal(await credits(), 50_000);
      assert.equal(await payments.resume(account, id, email), null);
      const next = await payments.begin(account, 50_000, email);
      assert.notEqual(next.purchase.id, id);
      assert.deepEqual(troubles, []);
      await state.assertSound();
    });

    test('count once, however many arrive together at two processes', async (t) => {
      const { id, happen, credits, state, clock } = await ordered(t);
      const other = await sellingThroughStripe(t, kind, { state, clock });
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const type = at % 3 === 0 ? 'async_payment_succeeded' : 'completed';
          return (at % 2 === 0 ? happen : other.happen)({ type, purchase: id });
        }),
      );
      assert.equal(await credits(), 50_000);
      assert.equal((await state.rows(`SELECT 1 FROM grants WHERE id = '${id}'`)).length, 1);
      await state.assertSound();
    });

    test('wait for a payment that takes days', async (t) => {
      const { id, happen, outcome, status, payments, account, clock } = await ordered(t);
      await happen({ type: 'completed', purchase: id, paymentStatus: 'unpaid' });
      assert.deepEqual(await outcome(), ['open', 0]);
      assert.equal(await payments.resume(account, id, email), null);
      assert.notEqual((await payments.begin(account, 50_000, email)).purchase.id, id);
      await clock.advance(72 * hour);
      await payments.begin(account, 250_000, email);
      assert.equal(await status(), 'open');
      await happen({ type: 'async_payment_succeeded', purchase: id });
      assert.deepEqual(await outcome(), ['paid', 50_000]);
    });

    test('cancel the order if its payment failed or expired', async (t) => {
      for (const type of ['async_payment_failed', 'expired']) {
        const { id, happen, status, outcome } = await ordered(t);
        await happen({ type, purchase: id, paymentStatus: 'unpaid' });
        assert.deepEqual(await outcome(), ['cancelled', 0]);
        await happen({ type: 'completed', purchase: id, paymentStatus: 'unpaid' });
        assert.equal(await status(), 'cancelled');
      }
    });

    test('may arrive in any order: a paid order stays paid', async (t) => {
      const { id, happen, outcome, troubles, account } = await ordered(t);
      await happen({ type: 'expired', purchase: id, paymentStatus: 'unpaid' });
      await happen({ type: 'completed', purchase: id });
      assert.deepEqual(await outcome(), ['paid', 50_000]);
      assert.match(troubles.find(([owner]) => owner === account)?.[1] ?? '', /had been cancelled/);
      await happen({ type: 'async_payment_failed', purchase: id });
      await happen({ type: 'completed', purchase: id, paymentStatus: 'unpaid' });
      assert.deepEqual(await outcome(), ['paid', 50_000]);
    });

    test('grant nothing for another price, and report it', async (t) => {
      const { id, happen, status, credits, troubles } = await ordered(t);
      await happen({ type: 'completed', purchase: id, amount: 4899 });
      await happen({ type: 'completed', purchase: id, currency: 'usd' });
      assert.deepEqual([await status(), await credits(), troubles.length], ['open', 0, 2]);
      assert.match(troubles[0]?.[1] ?? '', /4899 eur.*nothing was granted/);
      await happen({ type: 'completed', purchase: id, currency: 'EUR' });
      assert.equal(await credits(), 50_000);
    });

    test('report and acknowledge an unknown purchase', async (t) => {
      const { happen, troubles, credits, payments, account, clock } = await ordered(t);
      await happen({ type: 'completed', purchase: 'pur_none' });
      await happen({ type: 'completed', purchase: null });
      assert.equal(troubles.length, 2);
      assert.ok(troubles.every(([owner, words]) => owner === '' && /unknown purchase/.test(words)));
      const event = { id: 'evt_other', object: 'event', type: 'charge.succeeded', data: { object: {} } };
      const other = JSON.stringify(event);
      await payments.applyStripeEvent(Buffer.from(other), signPayload(other, webhookSecret, clock.now()));
      assert.deepEqual([troubles.length, await credits(), (await payments.list(account)).length], [2, 0, 1]);
    });

    test('must be signed, with our secret, now, over this body', async (t) => {
      const { id, payments, clock, credits } = await ordered(t);
      const body = sessionEvent({ type: 'completed', purchase: id });
      const now = clock.now();
      const good = signPayload(body, webhookSecret, now);
      const bad: [string, string][] = [
        [body, ''],
        [body, 't=1'],
        [body, good.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
        [body, signPayload(body, 'whsec_other', now)],
        [body, signPayload(body, webhookSecret, now - 301_000)],
        [`${body} `, good],
        [body.replace('4900', '1'), good],
        ['', good],
      ];
      for (const [text, header] of bad) {
        await assert.rejects(
          payments.applyStripeEvent(Buffer.from(text), header),
          refusal('invalid_parameter', /valid signature/),
          header,
        );
      }
      assert.equal(await credits(), 0);
      await payments.applyStripeEvent(Buffer.from(body), good);
      assert.equal(await credits(), 50_000);
    });

    test('still create the receipt of a deleted account, and report it', async (t) => {
      const { id, accounts, account, happen, payments, troubles, state } = await ordered(t);
      await accounts.delete(account);
      await happen({ type: 'completed', purchase: id });
      assert.equal((await payments.find(account, id))?.status, 'paid');
      assert.deepEqual(
        troubles.map(([owner]) => owner),
        [account],
      );
      await state.assertSound();
    });
  });
