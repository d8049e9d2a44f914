import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobsServer } from './support/jobs-server.js';

describe('a schedule from pages', () => {
  test('is priced a month ahead before it is sent, listed, paused, resumed and ended', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser, account } = await all.signedIn();
    const empty = await browser.get('/dashboard/schedules');
    assert.match(empty.$('main').text(), /No schedules/);

    const form = await browser.get('/dashboard/jobs/new');
    const order = (values: Record<string, string>) =>
      browser.submit(form, 'main form', { endpoint: 'maps/harbours', ...values });
    const wrong = await order({ text: 'quay', schedule: 'soon' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.$('#schedule-problem').text(), /is not a schedule/);
    const draft = await order({ text: 'quay\npier', schedule: '6h' });
    assert.match(draft.$('.figures').text(), /In 30 days720 120 runs, every 6h, after this one/);
    const job = await browser.submit(draft, 'main form');
    assert.match(job.url, /\/jobs\/job_/);
    const sound = await order({ name: 'Harbours', text: '{"query":"quay"}\nno json', schedule: '6h' });
    assert.equal(sound.$('h1').text(), 'Send “Harbours”?');
    assert.match(sound.$('.figures').text(), /In 30 days360 120 runs/, 'without the line that is faulty');

    const listed = await browser.get('/dashboard/schedules');
    const row = () => browser.get('/dashboard/schedules').then(({ $ }) => $('tbody tr').text());
    assert.equal(listed.$('.navigation [aria-current]').text(), 'Batch jobs');
    assert.match(await row(), /maps\/harbours.*6h.*Active.*6.*720/s);
    const [{ id = '' } = {}] = (await all.jobs.schedules.list(account.id, 1, undefined)).schedules;
    assert.equal(job.$(`dd a[href="/dashboard/schedules/${id}"]`).length, 1);
    for (const [action, word] of [
      ['pause', 'Paused'],
      ['resume', 'Active'],
      ['end', 'Ended'],
    ] as const) {
      const page = await browser.get(
        action === 'end' ? `/dashboard/schedules/${id}/end` : '/dashboard/schedules',
      );
      await browser.submit(page, `form[action$="${id}/${action}"]`);
      assert.match(await row(), new RegExp(word));
    }
    const ended = await browser.get('/dashboard/schedules');
    assert.equal(ended.$('main form').length, 0);
  });
});
