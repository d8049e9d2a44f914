import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../lib/endpoints.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { generatedParts, replaceParts } from '../scripts/readme-parts.js';
import { settings } from '../src/config/settings.js';

const read = (name: string) => readFileSync(path.join(packageRoot(), name), 'utf8');
const readme = read('README.md');
const pages = ['README.md', ...readdirSync(path.join(packageRoot(), 'docs')).map((name) => `docs/${name}`)];

describe('the README and the guides', () => {
  test('hold their generated parts as they would be written now', async () => {
    for (const [name, parts] of Object.entries(await generatedParts())) {
      assert.equal(replaceParts(read(name), parts), read(name), 'run `npm run generate`');
    }
  });

  test('fit: the README has at most 105 lines', () => {
    assert.ok(readme.split('\n').length <= 105);
  });

  test('link to files that are there', () => {
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
        if (!/^[a-z]+:/.test(target)) read(path.join(path.dirname(page), target));
      }
    }
  });

  test('mention every endpoint and setting', () => {
    const text = pages.map(read).join('\n');
    const missing = [
      ...endpoints.map(({ path: name }) => `\`${name}\``),
      ...settings.map(({ name }) => `\`${name}\``.replaceAll('|', '\\|')),
    ].filter((words) => !text.includes(words));
    assert.deepEqual(missing, []);
  });
});
