import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../lib/endpoints.js';
import { brandList, contractPath, platformOf, platforms, sites } from '../lib/platforms.js';
import { packageRoot } from '../lib/runtime/package-root.js';

const folder = path.join(packageRoot(), 'lib', 'platforms');

describe('the names that people know', () => {
  test('begin the summary of each endpoint, and no two titles are alike', () => {
    for (const { path: name, site, summary, title } of endpoints) {
      assert.ok(summary.startsWith(`${site.brand} `), name);
      assert.ok(summary.startsWith(`${title}: `) && title.length <= 40, name);
    }
    assert.equal(new Set(endpoints.map(({ title }) => title)).size, endpoints.length);
    for (const { brand } of sites) assert.ok(brandList.includes(brand));
  });

  test('lead to the contract’s words', () => {
    assert.deepEqual(['google-maps', 'linkedin', 'instagram', 'TikTok', 'maps', 'facebook'].map(platformOf), [
      'maps',
      'pronetwork',
      'photosocial',
      'shortvideo',
      'maps',
      undefined,
    ]);
    assert.deepEqual(
      ['tiktok/profile', 'google-maps/places', 'shortvideo/profile', 'other/profile', 'tiktok'].map(
        contractPath,
      ),
      ['shortvideo/profile', 'maps/places', 'shortvideo/profile', 'other/profile', 'shortvideo'],
    );
  });
});

describe('the list of platforms', () => {
  test('holds every folder of lib/platforms, under the folder’s name', () => {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    assert.ok(folders.length > 0);
    assert.deepEqual([...platforms].sort(), folders.sort());
  });

  test('contains the platforms of the endpoints, each of which names its own site', () => {
    assert.deepEqual(new Set(endpoints.map(({ platform }) => platform)), new Set(platforms));
    for (const { path: name, platform, site } of endpoints) assert.equal(site.platform, platform, name);
  });

  test('loads no reader: a site imports types alone', () => {
    for (const platform of platforms) {
      const source = readFileSync(path.join(folder, platform, 'site.ts'), 'utf8');
      assert.deepEqual(source.match(/^import (?!type ).*$/gm), null, platform);
    }
  });
});
