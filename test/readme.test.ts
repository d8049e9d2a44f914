import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../lib/endpoints.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { generatedParts, replaceParts } from '../scripts/readme-parts.js';
import { buildProgram } from '../src/cli/program.js';
import { readProgramSettings } from '../src/config/program-config.js';
import { settings } from '../src/config/settings.js';

const readme = readFileSync(path.join(packageRoot(), 'README.md'), 'utf8');

describe('the README', () => {
  test('holds its generated parts as they would be written now', async () => {
    assert.equal(replaceParts(readme, await generatedParts()), readme, 'run `npm run generate`');
  });

  test('mentions every command, endpoint and setting', async () => {
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
    ].filter((words) => !readme.includes(words));
    assert.deepEqual(missing, []);
  });
});
