import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchedSchedule } from './support/watched-schedule.js';

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
