import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { numbered } from '../../service/jobs/harness.js';
import type { Browser, Page } from './support/browser.js';
import { hostile } from './support/hostile.js';
import { dashboardServer } from './support/server.js';

const server = await dashboardServer();
const form = 'form[action="/dashboard/keys"]';

const make = async (browser: Browser, name: string, more: Parameters<Browser['submit']>[2] = {}) =>
  browser.submit(await browser.get('/dashboard/keys'), form, { name, ...more });

const secretOf = ({ $ }: Page) => $('pre').first().text();

describe('API keys', () => {
  test('show their secret once, in the answer to the form that made them', async () => {
    const { browser, account } = await server.signedIn();
    const created = await make(browser, 'laptop');
    assert.equal(created.status, 201);
    const secret = secretOf(created);
    for (const label of ['Command line', 'curl', 'JavaScript', 'Python']) {
      const sample = created.$(`figcaption:contains("${label}")`).first().parent().text();
      assert.ok(sample.includes(secret), `${label} holds the secret`);
    }
    assert.match(secret, /^xt_live_[0-9A-Za-z]{40}$/);
    const { body } = await server.ask('/v1/account', secret);
    assert.equal((body.data as { id: string }).id, account.id);
    const after = await browser.get('/dashboard/keys');
    assert.ok(!after.text.includes(secret.slice(10)));
    assert.equal(after.$('tbody th').text(), 'laptop');
    assert.ok(!server.lines.join('').includes(secret));
  });

  test('show their last use, expiry and the end of their secret', async () => {
    const { browser } = await server.signedIn();
    for (const expires of ['2026-11-05', 'soon', '2026-02-31']) {
      const again = await make(browser, 'late', { expires });
      assert.equal(again.status, 400, expires);
      assert.ok(again.$('#expires-problem').text().length > 0);
    }
    const all = await make(browser, ' ', { expires: '2026-11-05', monthly_credits: 'many' });
    assert.deepEqual(
      all
        .$('p.problem')
        .toArray()
        .map(({ attribs }) => attribs.id),
      ['name-problem', 'expires-problem', 'monthly_credits-problem'],
    );
    const keyPage = await make(browser, 'brief', { expires: '2026-11-07' });
    const secret = secretOf(keyPage);
    const row = async () => (await browser.get('/dashboard/keys')).$('tbody tr').first().text();
    assert.match(
      await row(),
      new RegExp(
        `^briefxt_live_…${secret.slice(-4)}all platforms0 · no limit, change the limit of briefnot yet2026-11-07 00:00:00`,
      ),
    );
    const { body } = await server.ask('/v1/account', secret);
    assert.equal(
      (body.data as { api_key: { expires_at: string } }).api_key.expires_at,
      '2026-11-07T00:00:00.000Z',
    );
    // The time is written after the call.
    while ((await row()).includes('not yet')) await new Promise((resolve) => setImmediate(resolve));
    assert.match(await row(), /change the limit of brief2026-11-05 12:00:00 UTC2026-11-07/);
    server.clock.time += 2 * 24 * 3_600_000;
    assert.equal((await server.ask('/v1/account', secret)).status, 401);
    const after = await browser.get('/dashboard/keys');
    assert.match(after.$('main').text(), /No key is active.*Revoked and expired.*brief/s);
    server.clock.time -= 2 * 24 * 3_600_000;
  });

  test('may call the platforms that were ticked', async () => {
    const { browser, account } = await server.signedIn();
    await make(browser, 'all');
    await make(browser, 'some', { platforms: ['maps', 'shortvideo'] });
    const keys = await server.accounts.listKeys(account.id);
    assert.deepEqual(Object.fromEntries(keys.map(({ name, platforms }) => [name, platforms])), {
      all: null,
      some: ['maps', 'shortvideo'],
    });
    for (const [values, words] of [
      [{ platforms: undefined }, /at least one platform/],
      [{ platforms: ['faces'] }, /./],
      [{ name: '   ' }, /Enter a name for the key/],
      [{ name: 'x'.repeat(101) }, /At most 100/],
    ] as const) {
      const again = await make(browser, 'kept', values);
      assert.equal(again.status, 400);
      assert.match(again.$('p.problem').text(), words);
      if (!('name' in values)) assert.equal(again.$('#name').attr('value'), 'kept');
    }
    assert.equal((await server.accounts.listKeys(account.id)).length, 2);
  });

  test('are shown by names that mean no harm', async () => {
    const { browser } = await server.signedIn();
    for (const name of hostile) {
      const keyPage = await make(browser, name);
      assert.equal(keyPage.$('h1').text(), `The key “${name}”`);
    }
    const list = await browser.get('/dashboard/keys');
    const names = list.$('tbody th').map((_, cell) => list.$(cell).text());
    assert.deepEqual(names.get().sort(), [...hostile].sort());
  });

  test('are ten at most', async () => {
    const { browser } = await server.signedIn();
    const early = await browser.get('/dashboard/keys');
    for (let number = 0; number < 10; number += 1) {
      assert.equal((await make(browser, `key ${number}`)).status, 201);
    }
    const full = await browser.get('/dashboard/keys');
    assert.equal(full.$(form).length, 0);
    assert.match(full.$('main').text(), /Ten keys are active/);
    const refused = await browser.submit(early, form, { name: 'eleven' });
    assert.equal(refused.status, 403);
    assert.match(refused.$('.callout.problem').text(), /ten active keys/);
  });

  test('are revoked after a second question, and fail from then on', async () => {
    const { browser } = await server.signedIn();
    const secret = secretOf(await make(browser, 'short-lived'));
    const list = await browser.get('/dashboard/keys');
    const question = await browser.get(list.$('a.danger').attr('href') ?? '');
    assert.match(question.$('h1').text(), /Revoke “short-lived”\?/);
    const done = await browser.submit(question, 'main form');
    assert.equal(done.url, '/dashboard/keys?done=key-revoked');
    assert.match(done.$('.callout').text(), /is revoked/);
    assert.equal((await server.ask('/v1/account', secret)).status, 401);
    const again = await browser.submit(question, 'main form');
    assert.equal(again.url, '/dashboard/keys?done=key-revoked', 'in another tab');
    assert.equal((await browser.get(question.url)).url, '/dashboard/keys?done=key-revoked');
  });
});

describe('the monthly limit of a key', () => {
  const call = '/v1/shortvideo/profile?username=nasa';

  test('is set with the key, changed later, and shown with its use', async () => {
    const { browser, account } = await server.signedIn();
    for (const monthly_credits of ['-1', '1.5', 'many', '99999999999']) {
      const again = await make(browser, 'small', { monthly_credits });
      assert.equal(again.status, 400, monthly_credits);
      assert.match(again.$('#monthly_credits-problem').text(), /whole number of credits/);
      assert.equal(again.$('#monthly_credits').attr('value'), monthly_credits);
    }
    const keyPage = await make(browser, 'small', { monthly_credits: '1,000' });
    const secret = secretOf(keyPage);
    const [key] = await server.accounts.listKeys(account.id);
    assert.equal(key?.monthly_credits, 1000);
    const at = server.clock.now();
    const charge = { account: account.id, endpoint: 'maps/place', needsPack: false, at, key };
    await server.ledger.pay({ ...charge, id: 'req_spent', credits: 450 });
    const list = await browser.get('/dashboard/keys');
    assert.match(list.$('tbody tr').first().text(), /450 of 1,000/);
    const limit = await browser.get(list.$('a[href$="/limit"]').attr('href') ?? '');
    assert.match(limit.$('main').text(), /450 credits spent this month.*2026-12-01/);
    const wrong = await browser.submit(limit, 'form[action$="/limit"]', { monthly_credits: 'few' });
    assert.equal(wrong.status, 400);
    const changed = await browser.submit(limit, 'form[action$="/limit"]', { monthly_credits: '450' });
    assert.match(changed.$('.callout').text(), /The limit is set/);
    const refused = await server.ask(call, secret);
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.error.message ?? '',
      /“small” may spend 450 credits a month and has spent 450.*resets on 2026-12-01/,
    );
    assert.equal(refused.body.error.code, 'insufficient_credits');
    const { body } = await server.ask('/v1/account', secret);
    const apiKey = (body.data as { api_key: Record<string, unknown> }).api_key;
    assert.partialDeepStrictEqual(apiKey, {
      ...{ monthly_credits: 450, monthly_credits_used: 450 },
      monthly_credits_reset_at: '2026-12-01T00:00:00.000Z',
    });
    await browser.submit(limit, 'form[action$="/limit"]', { monthly_credits: '' });
    assert.match((await browser.get('/dashboard/keys')).$('tbody tr').first().text(), /450 · no limit/);
    assert.notEqual((await server.ask(call, secret)).body.error?.code, 'insufficient_credits');
  });

  test('refuses a job that exceeds it', async () => {
    const { account } = await server.signedIn();
    const { key, secret } = await server.accounts.createKey({
      ...{ account: account.id, name: 'batch', platforms: null, monthlyCredits: 5 },
    });
    const send = (count: number) =>
      server.app.inject({
        ...{ method: 'POST', url: '/v1/jobs', headers: { authorization: `Bearer ${secret}` } },
        payload: { endpoint: 'maps/place', inputs: numbered(count).map((place_id) => ({ place_id })) },
      });
    const { code, message } = (await send(2)).json().error;
    assert.equal(code, 'insufficient_credits');
    assert.match(message, /this job costs 6/);
    assert.equal((await send(1)).statusCode, 202);
    assert.equal(await server.accounts.limitKey(key.id, null, 'acct_other'), null);
  });
});
