import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fakeStripe, sessionEvent, signed } from '../../../support/fake-stripe.js';
import { jobsServer } from '../support/jobs-server.js';
import { assertAccessible } from './assert-accessible.js';
import { skip } from './chromium.js';
import { cookiesAt, openChromium } from './open-chromium.js';

const secret = 'whsec_stripe';
const checkout = 'https://checkout.stripe.com/c/pay/cs_test_1';

test('a pack is bought through Stripe, and its receipt comes by itself', {
  skip,
}, async (t) => {
  const all = await jobsServer(t, {
    start: false,
    stripeHost: (await fakeStripe(t)).host,
    services: { docsBase: 'http://127.0.0.1' },
    settings: {
      ...{ EXTRACT_PACK_PRICES: '50000=49.00', EXTRACT_STRIPE_KEY: 'sk_test_1' },
      EXTRACT_STRIPE_WEBHOOK_SECRET: secret,
    },
  });
  await all.app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(all.app.server.address() as AddressInfo).port}`;
  const { browser, account } = await all.signedIn(0);
  const { payments } = all.hosting;
  // The page is at Stripe's own address: the only one that the forms of packs may lead to.
  const begin = payments.begin.bind(payments);
  Object.assign(payments, {
    begin: async (...given: Parameters<typeof begin>) => ({
      ...(await begin(...given)),
      next: { kind: 'redirect', url: checkout },
    }),
  });
  const { context, page, faults } = await openChromium(t);
  await context.addCookies(cookiesAt(base, browser.jar.getCookiesSync('http://localhost')));
  await context.route(`${checkout}**`, async (route) => {
    const [purchase] = await payments.list(account.id);
    const back = `${base}/dashboard/packs?order=${purchase?.id}`;
    await route.fulfill({ contentType: 'text/html', body: `<a href="${back}">Pay</a>` });
  });

  await page.goto(`${base}/dashboard/packs`);
  await page.getByRole('button', { name: 'Buy 50,000 credits' }).click();
  await page.waitForURL(checkout);
  await page.getByRole('link', { name: 'Pay' }).click();
  await page.getByText('the payment is confirmed within moments').waitFor();
  const [purchase] = await payments.list(account.id);
  assert.equal(purchase?.status, 'open');
  await assertAccessible(page);

  const body = sessionEvent({ type: 'completed', purchase: purchase?.id ?? '' });
  const sendEvent = (signature: string) =>
    fetch(`${base}/stripe/events`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    });
  assert.equal((await sendEvent('t=1,v1=00')).status, 400);
  assert.equal((await sendEvent(signed(body, secret, all.clock.now()))).status, 200);
  await page.getByRole('heading', { name: 'Receipt' }).waitFor();
  await page.getByRole('button', { name: 'Print' }).waitFor();
  // As wide as a sheet of A4, and the same in the browser that has script.
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.bar').isVisible(), false, 'a receipt is printed without the menu');
  await page.emulateMedia({ media: 'screen' });
  assert.match(await page.locator('main').innerText(), /€49\.00[\s\S]*50,000 credits/);
  assert.equal(await all.credits(account.id), 50_500);

  const { purchase: left } = await begin(account.id, 50_000, account.email);
  const expired = sessionEvent({ type: 'expired', purchase: left.id });
  await payments.applyStripeEvent(Buffer.from(expired), signed(expired, secret, all.clock.now()));
  await page.goto(`${base}/dashboard/packs/${left.id}`);
  await page.getByText('cancelled').first().waitFor();
  await assertAccessible(page);
  assert.deepEqual(faults, []);
});
