import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { companySite, companyUrl } from '../support/long-lists.js';
import { serveSite } from './harness.js';

describe('the report of requests to the platforms, with default settings', {
  skip: noBrowser,
}, () => {
  test('adds up the requests of all processes of a data directory, plain and of a browser', async () => {
    const { extract, run, plain, browsed } = await serveSite(companySite(3));
    const report = async () => {
      const { status, out, err } = await run(['usage', '--platforms', '--json']);
      assert.equal(status, 0, err);
      return JSON.parse(out).data;
    };
    assert.deepEqual(await report(), []);
    const first = await extract('pronetwork/posts', [companyUrl]);
    assert.equal(first.status, 0, first.err);
    const [one, ...none] = await report();
    assert.deepEqual(none, []);
    assert.equal(one.platform, 'pronetwork');
    assert.match(one.day, /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(one.requests >= plain().length && one.requests <= plain().length + browsed().length);
    assert.ok(one.bytes > 1_000, `${one.bytes} bytes`);
    const second = await extract('pronetwork/posts', [companyUrl, '--fresh']);
    assert.equal(second.status, 0, second.err);
    const days = await report();
    const requests = days.reduce((sum: number, day: { requests: number }) => sum + day.requests, 0);
    assert.equal(requests, 2 * one.requests);
    const gap = days[0].shortest_gap_ms;
    assert.ok(gap === null || gap >= 1_000, `${gap} ms`);
    const csv = await run(['usage', '--platforms', '--format', 'csv']);
    assert.match(csv.out, /^platform,day,requests,refusals,bytes,shortest_gap_ms\r?\npronetwork,/);
  });
});
