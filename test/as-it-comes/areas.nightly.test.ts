import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { distance, type Point } from '../../lib/platforms/maps/point.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import type { Answers } from '../support/browser-site.js';
import { medianGap, serveSite } from './harness.js';

const fixture = (name: string) => readFileSync(path.join(packageRoot(), 'fixtures/maps', name), 'latin1');
const headers = { 'content-type': 'application/json' };
const guard = ")]}'\n";
const sample = JSON.parse(fixture('places/bakeries-1.json').slice(guard.length));
const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);

/** Searches of a town: each returns the places closest to the centre of its view, at most sixty, in pages of twenty. */
function townSite(town: readonly Point[]): Answers {
  const rowOf = ({ lat, lng }: Point, number: number) => {
    const [head, node] = sample[64][0] as [unknown, unknown[]];
    const id = `0x476e35ba00000000:0x${(number + 1).toString(16)}`;
    const row = { 9: [null, null, lat, lng], 10: id, 11: `Bakery ${number}`, 78: null, 227: null };
    return [head, Object.assign([...node], row)];
  };
  return ({ path: at, query }) => {
    if (at !== '/search') return undefined;
    const view = query.get('pb') ?? '';
    const centre = { lng: numberIn(view, /!2d(-?[\d.]+)/), lat: numberIn(view, /!3d(-?[\d.]+)/) };
    const from = numberIn(view, /!8i(\d+)/);
    // The ground visible from that many metres above it.
    const radius = numberIn(view, /!1d([\d.]+)/) * Math.tan((6.55 * Math.PI) / 180);
    const rows = town
      .map((place, number) => ({ metres: distance(place, centre), row: rowOf(place, number) }))
      .filter(({ metres }) => metres <= radius)
      .sort((one, other) => one.metres - other.metres)
      .slice(0, 60);
    const page = rows.slice(from, from + 20).map(({ row }) => row);
    return { headers, body: guard + JSON.stringify(Object.assign([...sample], { 64: page })) };
  };
}

/** A town of places in rows. */
const townOf = (side: number, south: number, west: number, step: Point) =>
  Array.from({ length: side * side }, (_, at) => ({
    lat: south + (at % side) * step.lat,
    lng: west + Math.floor(at / side) * step.lng,
  }));

describe('areas of Google Maps, with every setting as it comes', { concurrency: 2 }, () => {
  test('cover returns every place of an area once, at the pace, within the estimate', async () => {
    const town = townOf(10, 47.06, 15.43, { lat: 0.0009, lng: 0.0013 });
    const { home, run, plain } = await serveSite(townSite(town));
    const output = path.join(home, 'town.ndjson');
    const args = ['maps', 'cover', '--query', 'bakery', '--bbox', '15.4295,47.0595,15.4422,47.0686'];
    const estimate = await run([...args, '-o', output, '--dry-run', '--json']);
    assert.equal(estimate.status, 0, estimate.err);
    assert.equal(plain().length, 0);
    const { status, err } = await run([...args, '-o', output]);
    assert.equal(status, 0, err);
    const names = readFileSync(output, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).data as { name: string }[])
      .map(({ name }) => numberIn(name, /(\d+)$/));
    assert.deepEqual(
      names.toSorted((one, other) => one - other),
      town.map((_, at) => at),
    );
    // A search returns at most sixty, so the square is divided.
    assert.ok(plain().length > 3);
    assert.ok(medianGap(plain()) > 950, String(medianGap(plain())));
  });

  test('grid writes one page with a rank for each point, at the pace', async () => {
    const searches = townSite(townOf(5, 47.066, 15.434, { lat: 0.002, lng: 0.002 }));
    const place = { headers, body: fixture('place/rich.json') };
    const { home, run, plain } = await serveSite((request) =>
      request.path === '/maps/preview/place' ? place : searches(request),
    );
    const output = path.join(home, 'grid.html');
    const id = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';
    const args = ['maps', 'grid', '--query', 'bakery', '--place', id, '--size', '3', '-o', output];
    const estimate = await run([...args, '--dry-run', '--json']);
    assert.equal(estimate.status, 0, estimate.err);
    assert.equal(plain().length, 0);
    const { status, err } = await run(args);
    assert.equal(status, 0, err);
    assert.equal(plain().length, 10);
    assert.ok(medianGap(plain()) > 950, String(medianGap(plain())));
    const page = readFileSync(output, 'utf8');
    // The place is none of the town's, so it has no rank: that is not a failure.
    assert.match(page, /Listed at<\/dt><dd>0 of 9/);
    assert.match(page, /Bakery \d+/);
  });
});
