import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routesOf } from '../../support/route-table.js';
import { jobsServer } from './support/jobs-server.js';
import { watchedSchedule } from './support/watched-schedule.js';

const webhooks = {
  webhookAllow: ['hooks.example'],
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
};

test('what belongs to another account is not found at any address, and no form changes it', async (t) => {
  const order = { endpoint: 'maps/harbours', text: 'theirs', name: 'theirs' };
  const settings = { EXTRACT_PACK_PRICES: '50000=49.00' };
  const watched = await watchedSchedule(
    t,
    { ...order, history: 'true', webhook_url: 'https://hooks.example/theirs' },
    { ...webhooks, settings },
  );
  const { all, account, id: schedule } = watched;
  const [{ id: job } = { id: '' }] = (await all.jobs.store.list(account.id, 1, undefined)).jobs;
  const form = await watched.browser.get('/dashboard/jobs/new');
  const draft = await watched.browser.submit(form, 'main form', order);
  assert.match(draft.url, /\/drafts\/draft_/, draft.$('.problem').text());
  const { key, secret } = await all.accounts.createKey({
    ...{ account: account.id, name: 'theirs', platforms: null },
  });
  const { purchase } = await all.hosting.payments.begin(account.id, 50_000, account.email);
  await all.ledger.pay({
    ...{ id: 'req_theirs', account: account.id, endpoint: 'maps/place', credits: 3, needsPack: false },
    ...{ at: all.clock.now(), key },
  });

  const { browser: stranger } = await all.signedIn(0);
  const { csrf: _csrf } = await stranger.get('/dashboard/keys');
  const owned: readonly (readonly [path: string, id: string, pages: string[], forms: string[]])[] = [
    [
      ...(['/dashboard/jobs/', job] as const),
      ['', '/progress', '/results', '/failed', '/cancel', '/links'],
      ['/retry', '/cancel', '/redeliver'],
    ],
    ['/dashboard/jobs/drafts/', draft.url.split('/').at(-1) ?? '', [''], ['']],
    ['/dashboard/schedules/', schedule, ['', '/end', '/changes.csv', '/links'], []],
    ['/dashboard/keys/', key.id, ['/revoke', '/limit'], ['/revoke']],
    ['/dashboard/packs/', purchase.id, ['', '/progress'], ['/pay', '/withdraw']],
    ['/dashboard/packs?order=', purchase.id, [''], []],
    ['/dashboard/requests/', 'req_theirs', [''], []],
  ];
  for (const [path, id, pages, forms] of owned) {
    for (const rest of pages) {
      const page = await stranger.get(`${path}${id}${rest}`);
      assert.equal(page.status, 404, page.url);
      assert.doesNotMatch(page.text.replaceAll(id, ''), /theirs/);
      for (const none of ['none', '%00'])
        assert.equal((await stranger.get(`${path}${none}${rest}`)).status, 404, `${path}${none}${rest}`);
    }
    for (const rest of forms)
      assert.equal((await stranger.post(`${path}${id}${rest}`, { _csrf })).status, 404, `${path}${rest}`);
  }
  const missing = await stranger.get('/dashboard/requests/req_none');
  const foreign = await stranger.get('/dashboard/requests/req_theirs');
  assert.equal(foreign.$('main').html(), missing.$('main').html());
  const queries = [`?key=${key.id}`, '?endpoint=maps/place', '?before=req_theirs'];
  for (const list of ['jobs', 'schedules', 'keys', 'packs', 'usage', 'requests']) {
    for (const query of list === 'requests' ? ['', ...queries] : ['']) {
      const { text, status } = await stranger.get(`/dashboard/${list}${query}`);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /theirs/, list + query);
    }
  }

  const call = await all.app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${secret}` } });
  assert.equal(call.statusCode, 200);
  assert.equal((await all.jobs.schedules.find(account.id, schedule)).status, 'active');
  assert.equal((await all.hosting.payments.find(account.id, purchase.id))?.status, 'open');
});

test('a form without its token is refused, at every route of the dashboard and the operator', async (t) => {
  const all = await jobsServer(t, { start: false });
  const { browser } = await all.signedIn();
  const operator = await all.operator();
  const forms = (await routesOf(all.app)).filter(
    ({ method, path }) => method === 'POST' && /^\/(dashboard|admin)\//.test(path),
  );
  assert.ok(forms.length > 20, `${forms.length} forms`);
  for (const { path } of forms) {
    const url = path.replaceAll(/:\w+/g, 'x');
    const sender = path.startsWith('/admin') ? operator : browser;
    for (const values of [{}, { _csrf: 'x' }])
      assert.equal((await sender.post(url, values)).status, 403, path);
  }
});
