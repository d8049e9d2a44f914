import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { makeJob } from '../../service/jobs/harness.js';
import { FakeClock } from '../../support/fake-clock.js';
import type { Browser, Page } from './support/browser.js';
import { hostile } from './support/hostile.js';
import { type JobsServer, jobsServer } from './support/jobs-server.js';

const keys = '/dashboard/keys';
const create = `form[action="${keys}"]`;
const settings = '/dashboard/settings';
/** Milliseconds after which a server has forgotten its answers to forms. */
const later = 61_000;

/** Somebody who is signed in, on a clock of the test's own. */
async function signedIn(t: TestContext) {
  const clock = new FakeClock();
  const all = await jobsServer(t, { start: false, clock });
  return { all, clock, ...(await all.signedIn()) };
}

const oneJob = (all: JobsServer, { id }: { readonly id: string }) =>
  makeJob(all, { account: id, secret: '', key: { id: 'key_1', name: 'first' } }, ['one']);

const preText = ({ $ }: Page) => $('pre').first().text();

/** Sends a form twice, like a double click without scripts. */
const twice = (browser: Browser, page: Page, selector: string, values = {}) =>
  Promise.all([browser.submit(page, selector, values), browser.submit(page, selector, values)]);

describe('a form that comes twice', () => {
  test('creates one key, whose secret is shown once; repetitions say what to do', async (t) => {
    const { all, clock, browser, account } = await signedIn(t);
    const page = await browser.get(keys);
    const [one, other] = await twice(browser, page, create, { name: 'laptop' });
    assert.match(preText(one), /^xt_live_/);
    const reloaded = await browser.submit(page, create, { name: 'laptop' });
    await clock.advance(later);
    const late = await browser.submit(page, create, { name: 'laptop' });
    for (const again of [other, reloaded, late]) {
      assert.equal(again.url, `${keys}?done=key-created-before`);
      assert.match(again.$('.callout').text(), /revoke the key and create another/);
      assert.ok(!again.text.includes(preText(one)));
    }
    assert.equal((await all.accounts.listKeys(account.id)).length, 1);
    await browser.submit(page, create, { name: 'server' });
    assert.equal((await all.accounts.listKeys(account.id)).length, 2, 'another name is another form');
  });

  test('rotates the secret of webhooks once', async (t) => {
    const { all, clock, browser, account } = await signedIn(t);
    const first = await all.jobs.webhooks.secrets.rotate(account.id);
    const page = await browser.get(settings);
    const form = 'form[action$=webhook-secret]';
    const [one, other] = await twice(browser, page, form);
    assert.equal(other.url, `${settings}?done=secret-created-before`);
    assert.ok(!other.text.includes(preText(one)));
    const signing = await all.jobs.webhooks.secrets.list(account.id);
    assert.deepEqual(signing, [preText(one), first.secret]);
    await clock.advance(later);
    const late = await browser.submit(page, form);
    assert.equal(late.url, `${settings}?done=secret-created-before`);
    assert.deepEqual(await all.jobs.webhooks.secrets.list(account.id), signing);
  });

  test('makes one link to a job, and orders one pack', async (t) => {
    const { all, clock, browser, account } = await signedIn(t);
    const id = await oneJob(all, account);
    const links = await browser.get(`/dashboard/jobs/${id}/links`);
    const [one, other] = await twice(browser, links, 'form[action$="/table"]');
    assert.ok(!other.text.includes(preText(one)));
    await clock.advance(later);
    const late = await browser.submit(links, 'form[action$="/table"]');
    assert.equal(late.url, `/dashboard/jobs/${id}/links?done=link-created-before`);
    assert.equal((await all.jobs.links.list(account.id, { type: 'job', id })).length, 1);

    const { csrf: _csrf } = await browser.get('/dashboard/packs');
    const order = () => browser.post('/dashboard/packs', { _csrf, credits: '50000' });
    const [first, second] = await Promise.all([order(), order()]);
    assert.equal(first.url, second.url);
    await clock.advance(later);
    assert.equal((await order()).url, '/dashboard/packs');
    assert.equal((await all.hosting.payments.list(account.id)).length, 1);
  });

  test('deletes an account, and confirms it both times', async (t) => {
    const { all, browser, account } = await signedIn(t);
    const page = await browser.get('/dashboard/settings/delete');
    const form = 'form[action$=delete]';
    const session = browser.jar.getCookieStringSync('http://localhost/');
    const ended = await browser.submit(page, form, { email: account.email });
    assert.equal(ended.url, '/sign-in?done=account-deleted');
    const again = all.browser();
    for (const cookie of session.split('; ')) again.jar.setCookieSync(cookie, 'http://localhost/');
    const second = await again.submit(page, form, { email: account.email });
    assert.equal(second.url, '/sign-in?done=account-deleted');
  });
});

describe('actions in another tab', () => {
  test('are reported for an ended session, a revoked key and a deleted link', async (t) => {
    const { all, browser, account } = await signedIn(t);
    const other = all.browser();
    await other.signIn(account.email, all.mailer);
    const tab = await browser.get(settings);
    const end = 'form[action$="/end"]';
    for (let click = 0; click < 2; click += 1) {
      const ended = await browser.submit(tab, end);
      assert.equal(ended.status, 200);
      assert.match(ended.$('.callout').text(), /The session has ended/);
    }

    const { key } = await all.accounts.createKey({ account: account.id, name: 'laptop', platforms: null });
    const limit = await browser.get(`${keys}/${key.id}/limit`);
    await all.accounts.revokeKey(key.id, account.id);
    for (const page of [
      await browser.get(limit.url),
      await browser.submit(limit, 'form[action$=limit]', { monthly_credits: '5' }),
    ]) {
      assert.equal(page.url, `${keys}?done=key-ended`);
      assert.equal(page.status, 200);
    }

    const id = await oneJob(all, account);
    await all.jobs.links.create(account.id, { type: 'job', id }, 'table');
    const links = await browser.get(`/dashboard/jobs/${id}/links`);
    for (let click = 0; click < 2; click += 1) {
      const revoked = await browser.submit(links, 'form[action$=revoke]');
      assert.equal(revoked.url, `/dashboard/jobs/${id}/links?done=link-revoked`);
      assert.equal(revoked.status, 200);
    }
  });
});

describe('a form whose session has ended', () => {
  test('keeps the input, and is submitted after signing in', async (t) => {
    const { all, browser, account } = await signedIn(t);
    const page = await browser.get(keys);
    await browser.submit(await browser.get(settings), 'form[action$="/sign-out"]');
    const typed = { name: `laptop ${hostile[0]}`, platforms: ['maps', 'pronetwork'], monthly_credits: '70' };
    const reply = await browser.submit(page, create, typed);
    assert.equal(reply.status, 403);
    assert.equal(reply.$('h1').text(), 'You are signed out');
    assert.equal(reply.$('main a').attr('href'), '/sign-in?next=%2Fdashboard');
    assert.match(reply.$('dl').text(), /laptop <script>.*maps, pronetwork.*70/s);
    const early = await browser.submit(reply, 'main form');
    assert.equal(early.$('h1').text(), 'You are signed out', 'who sends it too early loses nothing');

    await browser.signIn(account.email, all.mailer);
    const question = await browser.submit(early, 'main form');
    assert.equal(question.$('h1').text(), 'Submit this form now?');
    assert.deepEqual(await all.accounts.listKeys(account.id), []);
    assert.equal((await browser.submit(question, 'main form')).status, 201);
    const [key] = await all.accounts.listKeys(account.id);
    assert.deepEqual(
      [key?.name, key?.platforms, key?.monthly_credits],
      [typed.name, ['maps', 'pronetwork'], 70],
    );
  });

  test('is not restored for a page of another site', async (t) => {
    const { all, browser } = await signedIn(t);
    const values = { _csrf: 'x', name: 'theirs' };
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const page = await browser.post(keys, values, headers);
      assert.equal(page.$('h1').text(), 'This form has expired');
      assert.ok(!page.text.includes('theirs'));
    }
    const { body } = await browser.send({
      ...{ method: 'POST', url: keys, payload: '_csrf=x&name=theirs' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.match(body, /This form has expired/, 'nor where the browser does not say whose it is');
    const bare = await all.browser().post(keys, values, { 'sec-fetch-site': 'cross-site' });
    assert.equal(bare.$('h1').text(), 'This form has expired');
  });
});
