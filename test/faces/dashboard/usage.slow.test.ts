import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvText } from '../../../src/faces/dashboard/routes/usage.js';
import type { Page } from './support/browser.js';
import { addCalls, day, minute } from './support/history.js';
import { dashboardServer } from './support/server.js';

const server = await dashboardServer();

const calls = [
  { id: 'req_u1', endpoint: 'maps/place', credits: 3, ago: 40 * day },
  { id: 'req_u2', endpoint: 'maps/place', credits: 3, ago: 2 * day },
  { id: 'req_u3', endpoint: 'maps/place', credits: 3, ago: 2 * day + minute },
  { id: 'req_u4', endpoint: 'pronetwork/profile', credits: 10, ago: day },
  { id: 'req_u5', endpoint: 'maps/photos', credits: 2, ago: day, code: 'platform_timeout' },
] as const;

const textsOf = ({ $ }: Page, selector: string) =>
  $(selector)
    .toArray()
    .map((one) => $(one).text());

describe('usage', () => {
  test('is shown by day and endpoint, as a chart and in numbers', async () => {
    const { browser, account } = await server.signedIn();
    await addCalls(server, account.id, calls);
    const page = await browser.get('/dashboard/usage');
    assert.deepEqual(textsOf(page, '.figures dd'), ['16', '4', '1']);
    assert.equal(page.$('svg g.step').length, 30);
    assert.equal(page.$('.step rect.series-0').length, 1, 'the endpoint that cost most');
    assert.equal(page.$('.step rect.series-1').length, 1);
    assert.match(page.$('.legend').text(), /^pronetwork\/profilemaps\/placeFailed calls/);
    assert.match(page.$('.failed-step title').text(), /2026-11-04: 1 failed/);
    assert.equal(page.$('.axis span').length, 7);
    assert.match(page.$('svg desc').text(), /16 credits from 2026-10-07 to 2026-11-05/);
    assert.deepEqual(textsOf(page, '.table.sums tbody td'), [
      ...['pronetwork/profile', '1', '0', '10'],
      ...['maps/photos', '1', '1', '0'],
      ...['maps/place', '2', '0', '6'],
    ]);
    const wide = await browser.submit(page, 'form.range', { from: '2026-09-01', to: '2026-11-05' });
    assert.equal(wide.$('.figures dd').first().text(), '19');
    const year = await browser.get('/dashboard/usage?from=2025-11-06&to=2026-11-05');
    assert.equal(year.$('svg g.step').length, 53);
    assert.deepEqual(
      textsOf(year, 'svg g.step title').filter((text) => !text.includes(' 0 calls')),
      ['Week from 2026-09-24: 3 credits, 1 call', 'Week from 2026-10-29: 16 credits, 4 calls'],
    );
  });

  test('comes as a file', async () => {
    const { browser, account } = await server.signedIn();
    await addCalls(
      server,
      account.id,
      calls.map((call) => ({ ...call, id: `${call.id}-csv` })),
    );
    const { $ } = await browser.get('/dashboard/usage?from=2026-11-03&to=2026-11-04');
    const file = await browser.send({ method: 'GET', url: $('a[download]').attr('href') ?? '' });
    assert.partialDeepStrictEqual(file.headers, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="usage-2026-11-03-2026-11-04.csv"',
    });
    assert.equal(
      file.body,
      [
        'day,endpoint,calls,failed,credits',
        '2026-11-03,maps/place,2,0,6',
        '2026-11-04,maps/photos,1,1,0',
        '2026-11-04,pronetwork/profile,1,0,10',
        '',
      ].join('\r\n'),
    );
  });

  test('counts the calls of its account alone', async () => {
    const { account } = await server.signedIn();
    await addCalls(server, account.id, [{ id: 'req_other', endpoint: 'maps/place', credits: 3, ago: 0 }]);
    const { browser } = await server.signedIn();
    assert.equal((await browser.get('/dashboard/usage')).$('.figures dd').first().text(), '0');
  });
});

describe('a table for spreadsheets', () => {
  test('contains no formula, and other text unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const written = csvText(
          ['text'],
          texts.map((text) => ({ text })),
        );
        const options = { from: 2, skip_empty_lines: false, relax_column_count: true };
        const rows = parse(written, options) as string[][];
        for (const [index, text] of texts.entries()) {
          const cell = rows[index]?.[0] ?? '';
          assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
          assert.ok(cell === text || cell === `'${text}`);
        }
      }),
    );
  });
});
