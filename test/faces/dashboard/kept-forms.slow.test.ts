import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostile } from './support/hostile.js';
import { jobsServer } from './support/jobs-server.js';

const keys = '/dashboard/keys';
const create = `form[action="${keys}"]`;

describe('a form whose session has ended', () => {
  test('keeps the input, and is submitted after signing in', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const page = await browser.get(keys);
    await browser.submit(await browser.get('/dashboard/settings'), 'form[action$="/sign-out"]');
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
    const all = await jobsServer(t, { start: false });
    const { browser } = await all.signedIn();
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
