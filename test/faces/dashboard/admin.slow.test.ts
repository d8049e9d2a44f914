import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeJob } from '../../service/jobs/harness.js';
import { jobsServer } from './support/jobs-server.js';

const pages = ['/admin', '/admin/accounts', '/admin/jobs', '/admin/suppressions', '/admin/platforms'];

describe('the admin pages', () => {
  test('only open with the one-time link', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const closed = [...pages, `/admin/accounts/${account.id}`, '/admin/nothing'];
    const entries = ['', '?token=x', `?token=${'x'.repeat(999)}`].map((query) => `/admin/sign-in${query}`);
    for (const url of [...closed, ...entries]) {
      const page = await browser.get(url);
      assert.equal(page.status, 403, url);
      assert.match(page.$('h1').text(), /For the operator/);
    }
    const link = `/admin/sign-in?token=${await all.hosting.admin.createLink()}`;
    // Whatever previews links opens them, too.
    const entry = await all.browser().get(link);
    assert.equal(entry.status, 200);
    assert.equal((await browser.submit(await browser.get(link), 'main form')).url, '/admin');
    assert.equal((await all.browser().get(link)).status, 403, 'it works once');
    for (const url of pages) {
      const page = await browser.get(url);
      assert.equal(page.status, 200);
    }
    assert.equal((await browser.get('/admin/nothing')).status, 404);
    assert.equal((await browser.get('/dashboard')).status, 200, 'the own session is another one');
    const cookie = browser.jar.getCookieStringSync('http://localhost/');
    const out = await browser.submit(await browser.get('/admin'), 'form[action$=sign-out]');
    assert.equal(out.url, '/sign-in?done=signed-out');
    assert.equal((await browser.get('/admin')).status, 403);
    const copy = await all.app.inject({ url: '/admin', headers: { cookie } });
    assert.equal(copy.statusCode, 403, 'the session is over, and not only forgotten');
  });

  test('take no form of another session', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn(0);
    const { csrf: foreign } = await browser.get('/dashboard');
    const operator = await all.operator();
    const url = `/admin/accounts/${account.id}/credit`;
    assert.equal((await operator.post(url, { _csrf: foreign, credits: '50000', once: 'a' })).status, 403);
    const { csrf: _csrf } = await operator.get('/admin');
    assert.equal((await browser.post(url, { _csrf, credits: '50000', once: 'a' })).status, 403);
    assert.equal(await all.credits(account.id), 500);
  });

  test('leave somebody out, and take them back', async (t) => {
    const all = await jobsServer(t, { start: false });
    const operator = await all.operator();
    const page = await operator.get('/admin/suppressions');
    assert.match(page.$('.lead').html() ?? '', /until <code>extract forget<\/code> deletes it/);
    const refused = await operator.submit(page, 'main form', { subject: 'nobody <b>' });
    assert.equal(refused.status, 400);
    assert.match(refused.$('.problem').text(), /names no subject/);
    const added = await operator.submit(page, 'main form', { subject: 'https://www.tiktok.com/@baker' });
    assert.match(added.$('main').text(), /shortvideo:@baker/);
    const acts = await all.opened.audit.list({ limit: 5 });
    assert.equal(acts[0]?.act, 'subject.suppress');
    const removed = await operator.submit(added, 'form[action$=remove]');
    assert.match(removed.$('main').text(), /No suppressed subjects/);
    assert.deepEqual(await all.opened.suppressions.list(), []);
  });

  test('add a pack by hand once for each form, with a receipt', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn(0);
    const operator = await all.operator();
    const page = await operator.get(`/admin/accounts/${account.id}`);
    for (const credits of ['', '0', '-5', '1.5', 'many', '9'.repeat(11)]) {
      const refused = await operator.submit(page, 'main form', { credits });
      assert.equal(refused.status, 400, credits);
    }
    const added = await Promise.all([
      operator.submit(page, 'main form', { credits: '50,000' }),
      operator.submit(page, 'main form', { credits: '50,000' }),
    ]);
    for (const { $ } of added) assert.match($('.callout').text(), /credits are added/);
    assert.equal(await all.credits(account.id), 50_500);
    const again = await operator.get(`/admin/accounts/${account.id}`);
    assert.match(again.$('tbody').text(), /pur_.*Paid.*50,000/);
    await operator.submit(again, 'main form', { credits: '50000' });
    assert.equal(await all.credits(account.id), 100_500);
    assert.equal((await browser.get('/dashboard/packs')).$('tbody tr').length, 2);
    assert.equal((await operator.get('/admin/accounts/acct_none')).status, 404);
  });

  test('show jobs of all accounts without their content', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { account } = await all.signedIn();
    const customer = { account: account.id, secret: '', key: { id: 'key_1', name: 'a key' } };
    await makeJob(all, customer, ['very-private'], { webhookUrl: 'https://private.example/' });
    const operator = await all.operator();
    const page = await operator.get('/admin/jobs');
    assert.match(page.$('tbody').text(), /person1@example\.com.*maps\/harbours.*Waiting.*0 of 1/);
    for (const url of [...pages, `/admin/accounts/${account.id}`]) {
      const { text } = await operator.get(url);
      assert.ok(!/very-private|private\.example|xt_live_/.test(text), url);
    }
  });
});
