import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { townSite } from '../support/long-lists.js';
import { medianGap, served } from './harness.js';

/** The place of the first sample, and a town of 5 by 5 places around it. */
const id = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';
const town = Array.from({ length: 25 }, (_, at) => ({
  lat: 47.066 + (at % 5) * 0.002,
  lng: 15.434 + Math.floor(at / 5) * 0.002,
}));
const body = readFileSync(path.join(packageRoot(), 'fixtures/maps/place/rich.json'), 'latin1');

describe('maps grid, with every setting as it comes', () => {
  test('writes one page with a rank for each point, at the pace, for what it told before', async () => {
    const searches = townSite(town);
    const { home, run, plain } = await served((request) =>
      request.path === '/maps/preview/place'
        ? { headers: { 'content-type': 'application/json' }, body }
        : searches(request),
    );
    const output = path.join(home, 'grid.html');
    const args = ['maps', 'grid', '--query', 'bakery', '--place', id, '--size', '3', '-o', output];
    const told = await run([...args, '--dry-run', '--json']);
    assert.equal(told.status, 0, told.err);
    assert.equal(JSON.parse(told.out).data.credits, 30);
    assert.equal(plain().length, 0);
    const { status, err } = await run(args);
    assert.equal(status, 0, err);
    assert.match(err, /^9 points: 30 credits at most/);
    assert.equal(plain().length, 10);
    assert.ok(medianGap(plain()) > 950, String(medianGap(plain())));
    const page = readFileSync(output, 'utf8');
    // The place is none of the town's, and so on no page: that is no rank, and no failure.
    assert.match(page, /Listed at<\/dt><dd>0 of 9/);
    assert.match(page, /Bakery \d+/);
  });
});
