import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../lib/endpoints.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { generatedParts, replaceParts } from '../scripts/readme-parts.js';
import { readProgramSettings } from '../src/config/program-config.js';
import { settings } from '../src/config/settings.js';
import { buildProgram } from '../src/faces/cli/program.js';

const read = (name: string) => readFileSync(path.join(packageRoot(), name), 'utf8');
const readme = read('README.md');
const pages = ['README.md', ...readdirSync(path.join(packageRoot(), 'docs')).map((name) => `docs/${name}`)];

describe('the README and the guides', () => {
  test('hold their generated parts as they would be written now', async () => {
    for (const [name, parts] of Object.entries(await generatedParts())) {
      assert.equal(replaceParts(read(name), parts), read(name), 'run `npm run generate`');
    }
  });

  test('fit: the README has at most 150 lines', () => {
    assert.ok(readme.split('\n').length <= 150);
  });

  test('link to files that are there', () => {
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
        if (!/^[a-z]+:/.test(target)) read(path.join(path.dirname(page), target));
      }
    }
  });

  test('mention every command, endpoint and setting', async () => {
    const whole = pages.map(read).join('\n');
    const program = await buildProgram(
      {
        endpoints,
        askSecret: async () => '',
        stdin: () => assert.fail('nothing is run'),
        stdout: { isTTY: false, columns: undefined, write: async () => undefined },
        stderr: { isTTY: false, columns: undefined, write: async () => undefined },
        settings: readProgramSettings({ NO_COLOR: '1' }),
        signal: new AbortController().signal,
        openExtractor: () => assert.fail('nothing is run'),
      },
      null,
    );
    const platforms = new Set<string>(endpoints.map(({ platform }) => platform));
    const missing = [
      ...program.commands
        .map((command) => command.name())
        .filter((name) => !platforms.has(name) && name !== 'help')
        .map((name) => `extract ${name}`),
      ...endpoints.map(({ path: name }) => `\`${name}\``),
      ...settings.map(({ name }) => `\`${name}\``.replaceAll('|', '\\|')),
    ].filter((words) => !whole.includes(words));
    assert.deepEqual(missing, []);
  });
});
