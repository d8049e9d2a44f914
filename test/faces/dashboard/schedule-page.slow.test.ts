import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../service/jobs/harness.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { assertPage } from './support/assert-page.js';
import { elsewhere } from './support/elsewhere.js';
import { jobsServer, submitFile } from './support/jobs-server.js';
import { watchedSchedule } from './support/watched-schedule.js';

const list = { endpoint: 'maps/harbours', text: 'a', history: 'true' };

describe('the page of a schedule', () => {
  test('lists what was new, changed and gone with links to the items, draws it, and exports it', async (t) => {
    const { browser, site, path, next } = await watchedSchedule(t, list, {});
    Object.assign(site, { isEnd: true });
    await next({ names: ['pier', '=quay'] });
    await next({ names: ['pier', 'dock'], berths: 2 });
    const page = await browser.get(path);
    await assertPage(browser, page, elsewhere(page));
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
    const gone = await browser.get(`${path}?${new URLSearchParams(of)}`);
    assert.deepEqual(gone.$('.badge').filter((_, badge) => gone.$(badge).text() === 'New').length, 0);
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

  test('draws the number by which an object is followed, and any other field by its name', async (t) => {
    const object = { endpoint: 'maps/harbour', text: 'one', history: 'true' };
    const { browser, path, next } = await watchedSchedule(t, object);
    for (const berths of [3, 5, 4]) await next({ berths });
    const { $ } = await browser.get(path);
    assert.match($('.chart tbody tr').text(), /one.*4/);
    assert.match($('.chart svg title').text(), /^berths, last 90 days$/);
    const other = await browser.get(`${path}?field=berths&days=7&subject=one&before=x&what=nonsense`);
    assert.equal(other.status, 200);
    assert.equal(other.$('[name=days] [selected]').text(), '7 days');
    const none = await browser.get(`${path}?subject=nobody`);
    assert.match(none.$('main').text(), /Nothing of that name was read/);
  });

  test('shows what was chosen in the form, how the targets were told, and lets nobody end it by chance', async (t) => {
    const mailer = new MemoryMailer();
    const all = await watchedSchedule(
      t,
      {
        ...{ endpoint: 'maps/harbour', text: 'one', when: 'berths > 1', new: 'true', history: 'true' },
        ...{
          notify: 'person1@example.com',
          timezone: 'Europe/Berlin',
          schedule: 'day 08:00',
          name: 'Berths',
        },
      },
      { mailer, emailOf: async () => 'person1@example.com' },
    );
    const { browser, path, draft } = all;
    assert.match(
      draft.$('main').text(),
      /Kept until.*no earlier run.*berths > 1.*mail: person1@example.com.*Europe\/Berlin/s,
    );
    const shown = (await browser.get(path)).$('.details').text();
    assert.match(
      shown,
      /day 08:00 Europe\/Berlin.*Kept.*What no earlier run gave.*berths > 1.*mail: person1@example.com/s,
    );
    await all.all.jobs.schedules.runNow(all.account.id, all.id);
    Object.assign(all.site, { berths: 2, at: new Date(all.clock.now() + 1000).toISOString() });
    await all.clock.advance(1000);
    all.all.jobs.wake();
    await until(async () => mailer.mails.length === 1);
    const told = async () => (await browser.get(path)).$('tbody').last().text();
    await until(async () => /Delivered/.test(await told()));
    const question = await browser.get(`${path}/end`);
    await assertPage(browser, question, elsewhere(question));
    assert.match(question.$('main').text(), /Its history is deleted at once/);
    const ended = await browser.submit(question, 'main form');
    assert.match(ended.$('.figures').text(), /Ended/);
    assert.equal(ended.$('main form').length, 0);
    assert.equal((await browser.get(`${path}/end`)).url.includes('/end'), false);
  });

  test('of somebody else is not there, nor are its changes', async (t) => {
    const { all, path } = await watchedSchedule(t, list);
    const { browser } = await all.signedIn();
    for (const address of [path, `${path}/end`, `${path}/changes.csv`]) {
      assert.equal((await browser.get(address)).status, 404, address);
    }
  });

  test('the form says beside its fields what cannot be', async (t) => {
    const all = await jobsServer(t, { start: false });
    const { browser } = await all.signedIn();
    const form = await browser.get('/dashboard/jobs/new');
    const base = { endpoint: 'maps/harbours', text: 'a' };
    for (const [values, field] of [
      [{ when: 'berths >' }, 'when'],
      [{ history: 'true' }, 'schedule'],
      [{ notify: 'a@example.com' }, 'schedule'],
      [{ schedule: '6h', notify: 'nobody' }, 'notify'],
      [{ schedule: '6h', notify: 'a@example.com' }, 'notify'],
      [{ schedule: '6h', notify: 'slack:https://127.0.0.1/x' }, 'notify'],
    ] as const) {
      const page = await submitFile(browser, form, 'main form', { ...base, ...values });
      assert.equal(page.status >= 400, true, field);
      assert.notEqual(page.$(`#${field}-problem`).text(), '', JSON.stringify(values));
    }
  });
});
