import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { serveSite } from './harness.js';

describe('--demo, with every setting as it comes', () => {
  test('tries batch, --new, --media, cover and grid without a request', async () => {
    const { home, run, plain, browsed } = await serveSite(() => undefined);
    const file = (name: string) => path.join(home, name);
    writeFileSync(file('names.txt'), 'fern.atlas\nmoss.atlas\n');
    const done = async (...args: readonly string[]) => {
      const ran = await run([...args, '--demo']);
      assert.equal(ran.status, 0, ran.err);
      return ran;
    };
    const names = ['batch', 'photosocial/posts', file('names.txt'), '--flatten', '--new', 'tried'];
    const items = async (name: string, ...more: readonly string[]) => {
      await done(...names, '-o', file(name), ...more);
      return readFileSync(file(name), 'utf8').trim().split('\n').length;
    };
    assert.ok((await items('first.ndjson', '--media', file('media'))) > 2);
    assert.ok(readFileSync(file('media/manifest.ndjson'), 'utf8').includes('image/png'));
    assert.equal(await items('second.ndjson'), 2, 'one new post of each name');
    const area = ['--bbox', '23.70,37.95,23.72,37.97'];
    await done('maps', 'cover', '--query', 'cafe', ...area, '-o', file('cafes.csv'));
    assert.match(readFileSync(file('cafes.csv'), 'utf8'), /Cafe .*\(sample\)/);
    const place = ['--place', 'ChIJN1t_tDeuEmsRUsoyG83frY4'];
    await done('maps', 'grid', '--query', 'cafe', ...place, '-o', file('grid.html'));
    assert.match(readFileSync(file('grid.html'), 'utf8'), /Sample data/);
    assert.deepEqual([plain().length, browsed().length], [0, 0]);
  });
});
