import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogue, type ErrorCode } from '../../../../lib/errors/extract-error.js';
import { argv, assertExit, dataOf, errorOf, extract } from '../../../support/cli.js';
import { inventedRows } from '../../../support/invented-rows.js';
import { ndjsonValues } from '../../../support/ndjson.js';

describe('extract endpoints', () => {
  test('lists the table', async () => {
    const { out } = await extract(argv`endpoints --json`, { endpoints: inventedRows });
    const { parameters, ...about } = JSON.parse(out).data[0];
    const names = 'query lat max_depth language sort limit cursor fresh demo sources';
    assert.equal(parameters.join(' '), names);
    assert.deepEqual(about, {
      ...{ endpoint: 'maps/harbours', credits: 3, summary: 'Harbours by words', returns: 'maps_harbour[]' },
      ...{ cache_seconds: 90, operation: 'search_harbours' },
    });
    const { out: table } = await extract(argv`endpoints --format table`, { endpoints: inventedRows });
    assert.match(table, /^maps\/harbours +Harbours by words\n +query, lat, max_depth/);
    for (const { path } of inventedRows) assert.match(table, new RegExp(`^${path} `, 'm'));
  });

  test('lists the routes of one endpoint, by any name of its platform', async () => {
    const data: Record<string, unknown>[] = await dataOf(argv`endpoints tiktok/videos`);
    const routes = data.map(({ route, role }) => `${route} ${role}`).join(', ');
    const pages = 'embed answers, page answers, embed-video item, page-video item';
    assert.equal(routes, `${pages}, oembed witness, browser browser`);
    const { message } = await errorOf(argv`endpoints tiktok/vidios`, 2);
    assert.match(message, /Unknown endpoint .*tiktok\/videos|shortvideo\/videos/);
  });
});

describe('extract errors', () => {
  test('lists every code', async () => {
    const { out } = await extract(argv`errors --format ndjson --fields code`);
    const codes = ndjsonValues(out).map(({ code }) => code);
    assert.deepEqual(codes, Object.keys(catalogue));
  });

  test('explains every code', async () => {
    for (const code of Object.keys(catalogue) as ErrorCode[]) {
      const { out } = assertExit(await extract(argv`errors ${code} --json`), 0);
      const { data } = JSON.parse(out);
      assert.equal(data.code, code);
      assert.equal(data.summary, catalogue[code].summary);
      assert.equal(data.next, catalogue[code].next);
      assert.equal(data.docs, `https://docs.example/docs/errors/${code}`);
    }
  });

  test('explains a refusal, how to recognise it, and what to try', async () => {
    const { data } = JSON.parse((await extract(argv`errors platform_login_required --json`)).out);
    assert.match(data.causes[0], /login or sign-up page/);
    assert.match(data.tell, /private window/);
    assert.deepEqual([data.retry, data.example], [true, 'extract doctor --live']);
  });

  test('refuses an unknown code', async () => {
    for (const wrong of ['nope', 'toString', '__proto__', '']) {
      const ran = await extract(argv`errors ${wrong} --json`);
      assert.equal(ran.status, 2, wrong);
      assert.equal(JSON.parse(ran.err).error.code, 'invalid_parameter');
    }
  });
});
