import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { FakeClock } from '../../support/fake-clock.js';
import { fakeStripe, sessionEvent, signPayload } from '../../support/fake-stripe.js';
import { jobsServer } from './support/jobs-server.js';

const prices = { EXTRACT_PACK_PRICES: '50000=49.00,250000=199.00' };
const evil = '<script>alert(1)</script>';
const idIn = (url: string) => /pur_\w+/.exec(url)?.[0] ?? '';

describe('a pack that is bought by hand', () => {
  test('is ordered, paid as the operator says, and has a receipt', async (t) => {
    const settings = { ...prices, EXTRACT_PAYMENT_TEXT: `Pay cash. ${evil}` };
    const all = await jobsServer(t, { start: false, settings });
    const { browser, account } = await all.signedIn(0);
    const packs = await browser.get('/dashboard/packs');
    assert.match(packs.$('.pack').text(), /50,000 credits€49\.00€0\.980 per 1,000 credits/);
    const order = await browser.submit(packs, '.pack:first-child form');
    assert.equal(order.status, 400, 'a form without its button is no order');
    const placed = await browser.post('/dashboard/packs', { _csrf: packs.csrf, credits: '50000' });
    const id = idIn(placed.url);
    assert.equal(placed.url, `/dashboard/packs/${id}`);
    assert.ok(placed.$('main').text().includes(`Pay cash. ${evil}`));
    assert.equal(placed.$('main script').length, 0);
    assert.match(placed.$('.badge').text(), /Not paid/);
    const progress = await browser.send({ url: placed.$('[data-live]').attr('data-live') ?? '' });
    assert.deepEqual(progress.json(), { mark: 'open', is_over: false, value: 0, parts: {} });

    await all.hosting.payments.confirmByHand(account.id, 50_000);
    const receipt = await browser.get(placed.url);
    assert.equal(receipt.$('h1').text(), 'Receipt 1');
    for (const words of [id, account.email, '50,000 credits', '€49.00', 'Confirmed by the operator']) {
      assert.ok(receipt.$('main').text().includes(words), words);
    }
    const after = await browser.get('/dashboard/packs');
    assert.match(after.$('tbody').text(), /Receipt.*Paid.*€49\.00.*50,000/);
    assert.match(after.$('.account').text(), /50,500/);
    assert.equal((await browser.get(`/dashboard/packs?order=${id}`)).url, placed.url);
  });

  test('is one that is sold', async (t) => {
    const all = await jobsServer(t, { start: false, settings: prices });
    const { browser } = await all.signedIn();
    const { csrf: _csrf } = await browser.get('/dashboard/packs');
    for (const credits of ['', '0', '-50000', '49999', '1e9', '50000.5', evil]) {
      const refused = await browser.post('/dashboard/packs', { _csrf, credits });
      assert.equal(refused.status, 400, credits);
      assert.match(refused.$('.callout.problem').text(), /This pack does not exist/);
    }
  });
});

describe('receipts and orders', () => {
  test('carry seller and buyer as they stood, and numbers without a gap', async (t) => {
    const settings = { ...prices, EXTRACT_SELLER: 'Example Ltd; 1 Road; VAT GB1' };
    const all = await jobsServer(t, { start: false, settings });
    const { browser, account } = await all.signedIn(0);
    const other = await all.signedIn(0);
    const buyerForm = 'form[action$=buyer]';
    const packs = await browser.get('/dashboard/packs');
    for (const [values, problem] of [
      [{ company: '', tax_number: 'DE1' }, /company as well/],
      [{ company: 'x'.repeat(201), tax_number: '' }, /At most 200/],
    ] as const) {
      const again = await browser.submit(packs, buyerForm, values);
      assert.equal(again.status, 400);
      assert.match(again.$('#company-problem').text(), problem);
    }
    const set = await browser.submit(packs, buyerForm, { company: evil, tax_number: 'DE123' });
    assert.match(set.$('.callout').text(), /next receipts/);
    const first = await all.hosting.payments.confirmByHand(account.id, 50_000);
    await all.hosting.payments.begin(account.id, 250_000, account.email);
    const second = await all.hosting.payments.confirmByHand(other.account.id, 50_000);
    await browser.submit(await browser.get('/dashboard/packs'), buyerForm, { company: '', tax_number: '' });
    const third = await all.hosting.payments.confirmByHand(account.id, 50_000);
    assert.deepEqual([first.receipt, second.receipt, third.receipt], [1, 2, 3]);
    assert.deepEqual([second.buyer, third.buyer], [null, null]);
    const receipt = await browser.get(`/dashboard/packs/${first.id}`);
    const text = receipt.$('.details').text();
    for (const words of ['Example Ltd\n1 Road\nVAT GB1', `${evil}, ${account.email}`, 'DE123']) {
      assert.ok(text.includes(words), words);
    }
  });

  test('are withdrawn while they are open', async (t) => {
    const all = await jobsServer(t, { start: false, settings: prices });
    const { browser, account } = await all.signedIn(0);
    const { purchase } = await all.hosting.payments.begin(account.id, 50_000, account.email);
    const order = await browser.get(`/dashboard/packs/${purchase.id}`);
    const done = await browser.submit(order, 'form[action$=withdraw]');
    assert.match(done.$('.callout').text(), /is withdrawn/);
    assert.equal((await all.hosting.payments.find(account.id, purchase.id))?.status, 'cancelled');
    const paid = await all.hosting.payments.confirmByHand(account.id, 50_000);
    await browser.post(`/dashboard/packs/${paid.id}/withdraw`, { _csrf: done.csrf });
    assert.equal((await all.hosting.payments.find(account.id, paid.id))?.status, 'paid');
  });
});

describe('a pack that is bought through Stripe', () => {
  const secret = 'whsec_stripe';
  const settings = { ...prices, EXTRACT_STRIPE_KEY: 'sk_test_1', EXTRACT_STRIPE_WEBHOOK_SECRET: secret };

  async function shop(t: TestContext) {
    const stripe = await fakeStripe(t);
    const all = await jobsServer(t, {
      ...{ start: false, clock: new FakeClock(), settings },
      stripeHost: stripe.host,
    });
    return { all, stripe, ...(await all.signedIn(0)) };
  }

  test('leads to its page, and is granted by its event', async (t) => {
    const { all, stripe, browser, account } = await shop(t);
    const page = await browser.get('/dashboard/packs');
    assert.match(
      String(page.headers['content-security-policy']),
      /form-action 'self' https:\/\/checkout\.stripe\.com/,
    );
    const { csrf: _csrf = '' } = page;
    const form = (url: string, values: Record<string, string>) =>
      browser.send({
        ...{ method: 'POST', url, payload: new URLSearchParams({ _csrf, ...values }).toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const answer = await form('/dashboard/packs', { credits: '50000' });
    assert.equal(answer.statusCode, 303);
    assert.equal(answer.headers.location, 'https://checkout.test/cs_test_1');
    const [purchase = assert.fail()] = await all.hosting.payments.list(account.id);
    assert.ok(stripe.requests[0]?.fields.success_url?.endsWith(`/dashboard/packs?order=${purchase.id}`));

    const waiting = await browser.get(`/dashboard/packs?order=${purchase.id}`);
    assert.equal(waiting.url, `/dashboard/packs/${purchase.id}`);
    assert.equal(stripe.requests.length, 1, 'looking asks nobody');
    const again = await form(waiting.$('main form').attr('action') ?? '', {});
    assert.equal(again.headers.location, 'https://checkout.test/cs_test_1');

    const body = sessionEvent({ type: 'completed', purchase: purchase.id });
    const sendEvent = (signature: string) =>
      all.app.inject({
        ...{ method: 'POST', url: '/stripe/events', payload: body },
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      });
    const forged = await sendEvent(signPayload(body, 'whsec_other', all.clock.now()));
    assert.equal(forged.statusCode, 400);
    assert.equal(forged.json().error.code, 'invalid_parameter');
    assert.equal(await all.credits(account.id), 500);
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await sendEvent(signPayload(body, secret, all.clock.now()))).statusCode, 200);
    }
    assert.equal(await all.credits(account.id), 50_500);
    const receipt = await browser.get(waiting.url);
    assert.match(receipt.$('main').text(), /Card, through Stripe/);
    assert.equal((await form(`/dashboard/packs/${purchase.id}/pay`, {})).headers.location, waiting.url);
  });

  test('that is cancelled is shown as such, and an unreachable Stripe is an error page', async (t) => {
    const { all, stripe, browser, account } = await shop(t);
    const { csrf: _csrf } = await browser.get('/dashboard/packs');
    stripe.faults.push(400);
    const away = await browser.post('/dashboard/packs', { _csrf, credits: '50000' });
    assert.equal(away.status, 500);
    const [purchase = assert.fail()] = await all.hosting.payments.list(account.id);
    const body = sessionEvent({ type: 'expired', purchase: purchase.id });
    const signature = signPayload(body, secret, all.clock.now());
    await all.hosting.payments.applyStripeEvent(Buffer.from(body), signature);
    const page = await browser.get(`/dashboard/packs/${purchase.id}`);
    assert.match(page.$('.lead').text(), /Cancelled: you paid nothing/);
  });
});
