import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChangingSite } from '../../service/jobs/changing-site.js';
import { awaitJob, makeJob } from '../../service/jobs/harness.js';
import { ChangingSite } from '../../service/jobs/schedule-news-port.js';
import { jobsServer } from './support/jobs-server.js';

const pathOf = (text: string) =>
  /https:\/\/docs\.example(\/\w+\/[\w-]{43}\.(?:csv|atom|json))/.exec(text)?.[1] ?? '';

describe('the links of a job and a schedule', () => {
  test('are created, shown once, listed by how they begin, and revoked', async (t) => {
    const site = new ChangingSite();
    site.names = ['a'];
    const all = await jobsServer(t, { ask: site.ask });
    const { browser, account } = await all.signedIn(10_000);
    const customer = { account: account.id, secret: '', key: { id: 'key_1', name: 'first' } };
    const order = { schedule: { every: '6h' }, lineOptions: { history: true } } as const;
    const job = await makeJob(all, customer, ['a'], order);
    const { schedule = '' } = await awaitJob(all, customer, job);

    const jobPage = await browser.get(`/dashboard/jobs/${job}`);
    assert.equal(jobPage.$(`a[href="/dashboard/jobs/${job}/links"]`).length, 1);
    const page = await browser.get(`/dashboard/schedules/${schedule}`);
    assert.equal(page.$(`a[href="/dashboard/schedules/${schedule}/links"]`).length, 1);

    for (const [subject, kinds] of [
      [`jobs/${job}`, ['table']],
      [`schedules/${schedule}`, ['feed', 'table']],
    ] as const) {
      const path = `/dashboard/${subject}/links`;
      const empty = await browser.get(path);
      assert.match(empty.$('main').text(), /No links/);
      assert.deepEqual(
        empty
          .$('main form')
          .map((_, form) => empty.$(form).attr('action'))
          .get(),
        kinds.map((kind) => `${path}/${kind}`),
      );
      for (const kind of kinds) {
        const linkPage = await browser.submit(await browser.get(path), `form[action$="/links/${kind}"]`);
        assert.equal(linkPage.status, 201);
        const url = pathOf(linkPage.$('main').text());
        assert.ok(url.startsWith(`/${kind}s/`), url);
        assert.equal((await all.app.inject({ url })).statusCode, 200);
        const again = await browser.get(path);
        const text = again.$('main').text();
        assert.ok(text.includes(url.slice(0, url.lastIndexOf('/') + 7)) && pathOf(again.text) === '');
        const revokedPage = await browser.submit(again, 'form[action$="/revoke"]');
        assert.match(revokedPage.$('main').text(), /The link is revoked/);
        assert.equal((await all.app.inject({ url })).statusCode, 404);
      }
    }
    assert.ok(!all.log.join('').match(/\/(feeds|tables)\/[\w-]{20,}/));
  });
});
