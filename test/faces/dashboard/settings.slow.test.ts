import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusal } from '../../ledger/ledger-port.js';
import { makeJob } from '../../service/jobs/harness.js';
import { jobsServer } from './support/jobs-server.js';

const settings = '/dashboard/settings';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

describe('sessions', () => {
  test('are listed, with the current one marked, and ended one by one or all together', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const more = async (agent: string) => {
      const other = all.browser();
      await other.submit(await other.get('/sign-in'), 'form', { email: account.email });
      const page = await other.get(`/sign-in/confirm?token=${all.mailer.token()}`);
      const form = Object.fromEntries(new URLSearchParams(page.$('main form').serialize()));
      await other.post('/sign-in/confirm', form, { 'user-agent': agent });
      return other;
    };
    const [second, third, fourth] = [await more(firefox), await more('<b>curl</b>'), await more('')];
    const page = await browser.get(settings);
    assert.equal(page.$('tbody tr').length, 4);
    assert.equal(page.$('tbody tr:has(.badge.good)').length, 1);
    assert.equal(page.$('tbody tr:has(.badge.good) form').length, 0, 'this one is ended by signing out');
    assert.match(page.$('tbody').text(), /Firefox on Linux/);
    assert.equal(page.$('tbody b').length, 0);

    const row = page.$('tbody tr:contains("Firefox") form');
    const ended = await browser.post(row.attr('action') ?? '', { _csrf: page.csrf });
    assert.equal(ended.url, `${settings}?done=session-ended`);
    assert.match((await second.get('/dashboard')).url, /^\/sign-in/);
    assert.equal((await third.get('/dashboard')).status, 200);
    const last = await browser.submit(ended, 'form[action$=end-others]');
    assert.equal(last.$('tbody tr').length, 1);
    for (const other of [third, fourth]) assert.match((await other.get('/dashboard')).url, /^\/sign-in/);
    assert.equal((await browser.get(settings)).status, 200);
  });

  test('of another account stay open', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser } = await all.signedIn();
    const { account, browser: other } = await all.signedIn();
    const [theirs] = await all.hosting.signIn.listSessions(account.id);
    const { csrf: _csrf } = await browser.get(settings);
    assert.ok(theirs);
    for (const id of [theirs.id, 'ses_none', '%00']) {
      // The response is the same as for an ended session, so that IDs cannot be probed.
      const page = await browser.post(`${settings}/sessions/${id}/end`, { _csrf });
      assert.equal(page.url, `${settings}?done=session-ended`);
    }
    assert.equal((await other.get(settings)).status, 200);
    assert.equal((await browser.post(`${settings}/sessions/end-others`, {})).status, 403);
  });
});

describe('the balance alert', () => {
  test('is set, changed and removed', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const set = async (threshold: string) =>
      browser.submit(await browser.get(settings), 'form[action$=alert]', { threshold });
    assert.match((await set('1,000')).$('.callout').text(), /an e-mail when the balance falls below/);
    assert.equal(await all.hosting.alerts.readThreshold(account.id), 1000);
    assert.equal((await browser.get(settings)).$('#threshold').attr('value'), '1000');
    assert.match((await set('900,000')).$('.callout').text(), /is already below this number/);
    await set('1000');
    for (const wrong of ['-1', '0', '1.5', 'many', '99999999999', '"><script>']) {
      const page = await set(wrong);
      assert.equal(page.status, 400, wrong);
      assert.equal(page.$('#threshold').attr('value'), wrong);
      assert.match(page.$('#threshold-problem').text(), /whole number/);
    }
    assert.equal(await all.hosting.alerts.readThreshold(account.id), 1000);
    assert.match((await set(' ')).$('.callout').text(), /alert is off/);
    assert.equal(await all.hosting.alerts.readThreshold(account.id), null);
  });
});

describe('the secret of webhooks', () => {
  test('is shown once when created, and the previous one keeps signing', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const before = await browser.get(settings);
    assert.match(before.$('.details').text(), /not yet/);
    const secretPage = await browser.submit(before, 'form[action$=webhook-secret]');
    assert.equal(secretPage.status, 201);
    const [secret = ''] = await all.jobs.webhooks.secrets.list(account.id);
    assert.equal(secretPage.$('.code code').first().text(), secret);
    const page = await browser.get(settings);
    assert.ok(!page.text.includes(secret));
    const again = await browser.submit(page, 'form[action$=webhook-secret]');
    assert.match(again.$('.callout').text(), /stays valid until \d{4}-/);
    const after = await browser.get(settings);
    assert.match(after.$('.details').text(), /The previous one is valid until/);
    assert.equal((await all.jobs.webhooks.secrets.list(account.id)).length, 2);
  });
});

describe('deleting the account', () => {
  test('asks for the address, cancels running jobs, and deletes everything', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const { secret, key } = await all.accounts.createKey({ account: account.id, name: 'k', platforms: null });
    const job = await makeJob(all, { account: account.id, secret, key }, ['a', 'b']);
    const page = await browser.get(`${settings}/delete`);
    assert.match(page.$('main').text(), /One running job is cancelled first/);
    for (const email of ['', 'other@example.com', `${account.email}.evil`]) {
      const refused = await browser.submit(page, 'main form', { email });
      assert.equal(refused.status, 400);
      assert.match(refused.$('#email-problem').text(), /Nothing was deleted/);
    }
    assert.equal((await all.jobs.store.find(account.id, job)).status, 'queued');
    const farewell = await browser.submit(page, 'main form', { email: ` ${account.email.toUpperCase()} ` });
    assert.equal(farewell.url, '/sign-in?done=account-deleted');
    assert.match((await browser.get(settings)).url, /^\/sign-in/);
    await assert.rejects(all.jobs.store.find(account.id, job), refusal('job_not_found'));
    assert.equal(await all.accounts.find(account.email), null);
    assert.equal(await all.credits(account.id), 0);
    const call = await all.app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${secret}` } });
    assert.equal(call.statusCode, 401);
  });

  test('leaves others alone', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const other = await all.signedIn();
    const key = { id: 'key_1', name: 'k' };
    const job = await makeJob(all, { account: other.account.id, secret: '', key }, ['a']);
    await browser.submit(await browser.get(`${settings}/delete`), 'main form', { email: account.email });
    assert.equal((await all.jobs.store.find(other.account.id, job)).status, 'queued');
    assert.equal((await other.browser.get(settings)).status, 200);
  });
});
