import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { townSite } from '../support/long-lists.js';
import { medianGap, served } from './harness.js';

/** A town of 10 by 10 places within a square kilometre. */
const town = Array.from({ length: 100 }, (_, at) => ({
  lat: 47.06 + (at % 10) * 0.0009,
  lng: 15.43 + Math.floor(at / 10) * 0.0013,
}));
const bbox = '15.4295,47.0595,15.4422,47.0686';

describe('maps cover, with every setting as it comes', () => {
  test('gives every place of an area once, at the pace, and for what it told before', async () => {
    const { home, run, plain } = await served(townSite(town));
    const output = path.join(home, 'town.ndjson');
    const args = ['maps', 'cover', '--query', 'bakery', '--bbox', bbox, '-o', output];
    const told = await run([...args, '--dry-run', '--json']);
    assert.equal(told.status, 0, told.err);
    assert.ok(JSON.parse(told.out).data.credits_at_least > 0, told.out);
    assert.equal(plain().length, 0);
    const { status, err } = await run(args);
    assert.equal(status, 0, err);
    const names = readFileSync(output, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).data as { name: string }[])
      .map(({ name }) => Number(name.slice('Bakery '.length)));
    assert.deepEqual(
      names.toSorted((one, other) => one - other),
      town.map((_, at) => at),
    );
    // The whole square is full at sixty, and its quarters are asked for the rest.
    assert.ok(plain().length > 3);
    assert.ok(medianGap(plain()) > 950, String(medianGap(plain())));
  });
});
