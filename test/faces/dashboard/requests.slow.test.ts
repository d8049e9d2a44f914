import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvText } from '../../../src/faces/dashboard/routes/usage.js';
import { endInputs } from '../../support/server-store.js';
import type { Page } from './support/browser.js';
import { addCalls, day, minute } from './support/history.js';
import { hostile } from './support/hostile.js';
import { dashboardServer } from './support/server.js';

const server = await dashboardServer();
const one = { id: 'key_1', name: hostile[0] ?? '' };
const two = { id: 'key_2', name: 'two' };

const ids = ({ $ }: Page) =>
  $('tbody th a')
    .toArray()
    .map((link) => decodeURIComponent(($(link).attr('href') ?? '').split('/').at(-1) ?? ''));

/** What a job's input becomes that was not found. */
const lost = { status: 'failed', code: 'place_not_found' } as const;

/** Creates a job of two inputs at a time in the past; returns its ID. */
async function makeJob(account: string, ago: number, name?: string): Promise<string> {
  server.clock.time -= ago;
  const { id } = await server.jobs.store.create(
    {
      ...{ account, key: undefined, name, endpoint: 'maps/photos', credits: 2 },
      inputs: ['{"place_id":"a"}', '{"place_id":"b"}'],
      ...{ webhookUrl: undefined, idempotency: undefined },
    },
    () => '',
  );
  server.clock.time += ago;
  return id;
}

describe('the history of requests', () => {
  test('explains what to do without any', async () => {
    const { browser } = await server.signedIn();
    const page = await browser.get('/dashboard/requests');
    assert.match(page.$('.empty').text(), /No calls yet.*curl/s);
  });

  test('shows calls newest first, by every filter', async () => {
    const { browser, account } = await server.signedIn();
    const job = await makeJob(account.id, minute);
    await addCalls(server, account.id, [
      { id: 'req_f1', endpoint: 'maps/place', credits: 3, ago: 3 * day, key: one },
      { id: 'req_f2', endpoint: 'maps/place', credits: 3, ago: 2 * day, key: two, code: 'place_not_found' },
      { id: 'req_f3', endpoint: 'shortvideo/video', credits: 2, ago: day, key: one, code: null },
    ]);
    await endInputs(server.jobs, job, [{ index: 0, ending: lost, measures: { duration_ms: 30 } }]);
    const all = await browser.get('/dashboard/requests');
    assert.deepEqual(ids(all), [job, 'req_f3', 'req_f2', 'req_f1']);
    assert.match(all.$('tbody tr').eq(2).text(), /place_not_found.*two/);
    const filters: readonly (readonly [string, readonly string[]])[] = [
      ['endpoint=maps/place', ['req_f2', 'req_f1']],
      ['status=failed', [job, 'req_f3', 'req_f2']],
      ['status=refused', []],
      ['status=ok', ['req_f1']],
      ['key=key_1', ['req_f3', 'req_f1']],
      [`job=${job}`, [`${job}:0`]],
      ['code=place_not_found', [`${job}:0`, 'req_f2']],
      ['from=2026-11-03&to=2026-11-04', ['req_f3', 'req_f2']],
      ['from=2026-11-05', [job]],
      ['endpoint=maps/place&status=failed&key=key_2', ['req_f2']],
      ['status=odd&from=yesterday&to=2026-13-01&endpoint=', [job, 'req_f3', 'req_f2', 'req_f1']],
    ];
    for (const [query, expected] of filters) {
      assert.deepEqual(ids(await browser.get(`/dashboard/requests?${query}`)), expected, query);
    }
    const none = await browser.get('/dashboard/requests?endpoint=maps/reviews');
    assert.match(none.$('.empty').text(), /No request matches/);
    assert.equal(none.$('[name=endpoint] option[selected]').attr('value'), 'maps/reviews');
  });

  test('leads from an id to its call', async () => {
    const { browser, account } = await server.signedIn();
    await addCalls(server, account.id, [
      { id: 'req_x', endpoint: 'maps/place', credits: 3, ago: 0, key: one, code: 'place_not_found' },
    ]);
    const list = await browser.get('/dashboard/requests');
    const call = await browser.submit(list, 'form.follow', { id: ' req_x ' });
    assert.equal(call.url, '/dashboard/requests/req_x');
    const text = call.$('main').text();
    const figures = ['Charged0 credits', 'Refunded3 credits', 'Price3 credits'];
    for (const words of [...figures, one.name, 'place_not_found']) assert.ok(text.includes(words), words);
    assert.match(call.$('pre').first().text(), /extract maps place --place-id '<place_id>'/);
    const unknown = await browser.submit(list, 'form.follow', { id: '<script>' });
    assert.match(unknown.$('.callout.problem').text(), /This account has no request/);
    assert.equal(unknown.$('#id').attr('value'), '<script>');
  });

  test('folds a job into one row, with its inputs behind it', async () => {
    const { browser, account } = await server.signedIn();
    const job = await makeJob(account.id, 90_000, 'Cafés');
    await endInputs(server.jobs, job, [
      { index: 0, ending: lost, at: server.clock.time - 80_000, measures: { duration_ms: 1234 } },
      { index: 1, ending: { status: 'ok', cached: false, credits: 2 }, measures: { duration_ms: 5 } },
    ]);
    const page = await browser.get('/dashboard/requests');
    const row = page.$('tbody tr');
    assert.equal(row.length, 1);
    assert.match(row.text(), /Done, 1 failed 2 inputs2026-11-05 11:58:30 UTC2 minCafés22/);
    const inputs = await browser.get(row.find('td a').attr('href') ?? '');
    assert.deepEqual(ids(inputs), [`${job}:0`, `${job}:1`]);
    assert.match(inputs.$('tbody tr').first().text(), /404 place_not_found.*1\.2 s/);
  });
});

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
