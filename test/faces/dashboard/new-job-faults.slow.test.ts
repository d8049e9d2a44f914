import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobsServer, submitFile } from './support/jobs-server.js';

test('a new job reports every invalid field, including the inputs', async (t) => {
  const all = await jobsServer(t, { start: false });
  const { browser } = await all.signedIn();
  const page = await browser.get('/dashboard/jobs/new');
  const typed = {
    ...{ endpoint: 'maps/harbours', text: ' ', webhook_url: 'http://example.com/hook', schedule: 'often' },
    ...{ when: 'rating <=', notify: 'nonsense' },
  };
  const faulty = await submitFile(browser, page, 'main form', typed);
  assert.equal(faulty.status, 400);
  const problems = faulty.$('p.problem').toArray();
  assert.deepEqual(
    problems.map(({ attribs }) => attribs.id),
    ['text', 'when', 'webhook_url', 'schedule', 'notify'].map((field) => `${field}-problem`),
  );
});

test('a new job reports an option that needs a schedule at the schedule', async (t) => {
  const all = await jobsServer(t, { start: false });
  const { browser, account } = await all.signedIn();
  const page = await browser.get('/dashboard/jobs/new');
  for (const typed of [{ timezone: 'Europe/Berlin' }, { notify: account.email }, { history: 'true' }]) {
    const faulty = await submitFile(browser, page, 'main form', {
      endpoint: 'maps/harbours',
      text: 'quay',
      ...typed,
    });
    assert.equal(faulty.status, 400);
    assert.equal(faulty.$('p.problem').attr('id'), 'schedule-problem', JSON.stringify(typed));
  }
});
