import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import type { DirectoryStore } from '../../../src/compose/open-store.js';
import { directorySlices } from '../../service/jobs/directory-stores.js';
import { makeJob } from '../../service/jobs/harness.js';
import { jobsServer } from './support/jobs-server.js';

// Of a data directory: its files are among what is shown.
describe('the first of the admin pages', () => {
  test('show the last minutes, failures, open orders and disk usage', async (t) => {
    const all = await jobsServer(t, { start: false, settings: { EXTRACT_PACKS: '50000=25.00' } });
    const { account, browser: owner } = await all.signedIn();
    const operator = await all.operator();
    const calm = await operator.get('/admin');
    assert.match(calm.$('main').text(), /Last 15 minutesAnswered0Failed0.*Cool-downsNone/);
    assert.doesNotMatch(calm.$('main').text(), /Failed e-mails|Failed webhooks|Open orders/);
    const customer = { account: account.id, secret: '', key: { id: 'key_1', name: 'a' } };
    const job = await makeJob(all, customer, ['an-input'], {
      webhookUrl: 'https://receiver.example/hook?token=private',
    });
    // The least that a job takes, which has not ended.
    assert.match((await owner.get('/dashboard')).$('main').text(), /Stored4\.0 KiB results and inputs/);
    const mainText = (await operator.get('/admin')).$('main').text();
    assert.ok(mainText.includes(`largest firstAccountSize${account.id}4.0 KiB`), mainText);
    await all.opened.pace.recordRefusal('maps', {
      ...{ code: 'platform_blocked', retryAfter: undefined, firstMs: 60_000 },
    });
    all.metrics.countError(endpoints[0] ?? null, 'rate_limited');
    const [pack] = all.hosting.payments.packs;
    await all.hosting.payments.begin(account.id, pack?.credits ?? 0, account.email);
    all.mailer.fault = new Error('the mail server is gone');
    const visitor = all.browser();
    await visitor.submit(await visitor.get('/sign-in'), 'form', { email: 'someone@example.com' });
    await all.jobs.store.cancel(account.id, job);
    const { jobStores } = all.opened as DirectoryStore;
    await directorySlices(jobStores, all.clock).writeCancelled(job);
    for (const delivery of await jobStores.webhooks.listDue()) {
      await jobStores.webhooks.record(delivery, all.clock.now(), {
        status: 410,
        error: 'answered 410',
        again: false,
      });
    }
    const page = await operator.get('/admin');
    const text = page.$('main').text();
    for (const words of [
      /rate_limited1/,
      /Cool-downs1 maps: \d/,
      /1 sent, 1 failed since the start.*someone@example\.com.*the mail server is gone/,
      /Failed webhooks.*receiver\.exampleacct_.*answered 410/,
      /Open orders.*pur_.*50,000/,
      /Data directory.*ledger\.db/,
    ]) {
      assert.match(text, words);
    }
    assert.ok(!text.includes('private'));
    const body = await all.metrics.registry.metrics();
    for (const line of [
      ...[/^extract_webhooks_failed 1$/m, /^extract_open_orders 1$/m, /^extract_queue_jobs 0$/m],
      ...[
        /^extract_cooldown_seconds\{platform="maps"\} [1-9]/m,
        /^extract_data_bytes\{file="ledger\.db"\} [1-9]/m,
      ],
    ])
      assert.match(body, line);
  });
});
