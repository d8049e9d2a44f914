import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sessionEvent, signPayload } from '../../support/fake-stripe.js';
import { testServer } from '../../support/server.js';

const secret = 'whsec_test';
const settings = {
  ...{ EXTRACT_PACK_PRICES: '50000=49.00', EXTRACT_STRIPE_KEY: 'sk_test_1' },
  EXTRACT_STRIPE_WEBHOOK_SECRET: secret,
};
const sold = await testServer({ deskSettings: settings, pages: true });

function post(app: typeof sold.app, payload: string, signature?: string) {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(signature && { 'stripe-signature': signature }),
  };
  return app.inject({ method: 'POST', url: '/stripe/events', payload, headers });
}

describe('the address of Stripe’s events', () => {
  test('accepts a signed event for an unknown purchase, and logs it', async () => {
    const body = sessionEvent({ type: 'completed', purchase: 'pur_none' });
    const answer = await post(sold.app, body, signPayload(body, secret, sold.clock.now()));
    assert.equal(answer.statusCode, 200);
    assert.equal(sold.troubles.length, 1);
  });

  test('refuses unsigned events with the contract’s error', async () => {
    const body = sessionEvent({ type: 'completed', purchase: 'pur_none' });
    for (const signature of [undefined, 't=1,v1=00', signPayload(body, 'whsec_other', sold.clock.now())]) {
      const answer = await post(sold.app, body, signature);
      assert.equal(answer.statusCode, 400);
      assert.equal(answer.json().error.code, 'invalid_parameter');
    }
    const large = await post(sold.app, 'x'.repeat(300_000), 't=1,v1=00');
    assert.equal(large.statusCode, 413);
    const bare = await sold.app.inject({ method: 'POST', url: '/stripe/events' });
    assert.equal(bare.statusCode, 400);
    assert.equal((await sold.app.inject({ method: 'GET', url: '/stripe/events' })).statusCode, 405);
  });

  test('verifies the received bytes, whatever their content type', async () => {
    const body = `${sessionEvent({ type: 'completed', purchase: 'pür_none' })}\n `;
    const answer = await sold.app.inject({
      ...{ method: 'POST', url: '/stripe/events', payload: body },
      headers: {
        'stripe-signature': signPayload(body, secret, sold.clock.now()),
        'content-type': 'text/x-odd',
      },
    });
    assert.equal(answer.statusCode, 200);
  });

  test('is not there where payments are by hand', async () => {
    const { app } = await testServer({ pages: true });
    assert.equal((await post(app, '{}')).statusCode, 404);
  });
});
