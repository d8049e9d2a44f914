import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../lib/endpoints.js';
import { platforms } from '../lib/platforms.js';
import { packageRoot } from '../lib/runtime/package-root.js';

const folder = path.join(packageRoot(), 'lib', 'platforms');

describe('the list of platforms', () => {
  test('holds every folder of lib/platforms, under the folder’s name', () => {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    assert.ok(folders.length > 0);
    assert.deepEqual([...platforms].sort(), folders.sort());
  });

  test('holds the platforms of the endpoints, each of which names its own site', () => {
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
