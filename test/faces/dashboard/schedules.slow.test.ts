import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChangingSite } from '../../service/jobs/changing-site.js';
import { awaitJob, makeJob } from '../../service/jobs/harness.js';
import { jobsServer } from './support/jobs-server.js';
import { watchedSchedule } from './support/watched-schedule.js';

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

const list = { endpoint: 'maps/harbours', text: 'a', history: 'true' };

describe('the page of a schedule', () => {
  test('lists, charts and exports new, changed and removed items, with links', async (t) => {
    const { browser, site, path, next } = await watchedSchedule(t, list, {});
    Object.assign(site, { isEnd: true });
    await next({ names: ['pier', '=quay'] });
    await next({ names: ['pier', 'dock'], berths: 2 });
    const page = await browser.get(path);
    const { $ } = page;
    const rowsOf = (caption: string) =>
      $('table')
        .filter((_, table) => $(table).find('caption').text() === caption)
        .find('tbody tr')
        .toArray()
        .map((row) =>
          $(row)
            .children()
            .toArray()
            .map((cell) => $(cell).text().trim()),
        );
    const changes = rowsOf('Changes, newest first').map(([, item, ...rest]) => [item, ...rest].join(' | '));
    assert.deepEqual(changes, [
      '=quay of a | Gone | – | –',
      'dock of a | New | – | –',
      'pier of a | Changed berths | 1 | 2',
      '=quay of a | New | – | –',
      'pier of a | New | – | –',
    ]);
    const [link] = $('a[rel="external noreferrer"]').toArray();
    assert.match(link?.attribs.href ?? '', /^https:\/\/harbours\.example\//);
    assert.deepEqual(rowsOf('items, last 90 days'), [['a', '2', '–', '–']]);
    assert.match($('svg .line path').attr('d') ?? '', /^M[\d.]+ [\d.]+H/);
    assert.equal($('time.moment').length > 8, true);
    assert.equal(rowsOf('Runs, newest first').length, 3);

    const of = { ...Object.fromEntries(new URLSearchParams('what=gone')) };
    const filtered = await browser.get(`${path}?${new URLSearchParams(of)}`);
    assert.deepEqual(filtered.$('.badge').filter((_, badge) => filtered.$(badge).text() === 'New').length, 0);
    const csv = await browser.get(`${path}/changes.csv?what=all`);
    assert.match(String(csv.headers['content-disposition']), /attachment; filename="sched_\w+-changes\.csv"/);
    const lines = csv.text.trim().split('\n');
    assert.match(lines[0] ?? '', /^fetched_at,endpoint,subject,object,id,url,event,field,before,after,run$/);
    assert.equal(lines.length, 6);
    assert.match(csv.text, /,'=quay,/, 'nothing that a spreadsheet would run');
    const json = JSON.parse((await browser.get(`${path}/changes.json?field=berths`)).text);
    assert.deepEqual(
      json.map(({ before, after }: { before: 1; after: 2 }) => [before, after]),
      [[1, 2]],
    );
    const ndjson = (await browser.get(`${path}/changes.ndjson?what=gone`)).text;
    assert.equal(JSON.parse(ndjson).event, 'removed');
    assert.equal((await browser.get(`${path}/changes.json?subject=nobody`)).text, '[]\n');
  });
});

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
