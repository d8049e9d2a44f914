import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { manPage, roff } from '../../../scripts/man-page.js';
import { settings } from '../../../src/config/settings.js';
import { commandGroups } from '../../../src/faces/cli/commands.js';

/** What programs that set pages complain about, where this machine has them. */
const checkers: readonly (readonly [name: string, ...args: string[]])[] = [
  ['groff', '-man', '-ww', '-Tutf8'],
  ['mandoc', '-Tlint', '-Wwarning'],
];
const isThere = (name: string) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;

describe('the manual page', () => {
  for (const [name, ...args] of checkers) {
    test(`passes ${name} without a warning`, {
      skip: !isThere(name) && `${name} is not installed`,
    }, async () => {
      const { stdout, stderr } = spawnSync(name, args, { input: await manPage(), encoding: 'utf8' });
      assert.equal(name === 'groff' ? stderr : `${stdout}${stderr}`, '');
    });
  }

  test('names every command, parameter, setting and exit status', async () => {
    const page = await manPage();
    const words = [
      ...endpoints.map(({ path }) => `.SS extract ${path.replace('/', ' ')}\n`),
      ...commandGroups.flatMap(({ commands }) => commands.map(({ name }) => `.SS extract ${roff(name)}`)),
      ...endpoints.flatMap(({ params }) =>
        Object.keys(params).map((name) => roff(`--${name.replaceAll('_', '-')}`)),
      ),
      ...settings.map(({ name }) => `\\fB${roff(name)}\\fP`),
      '\\fB130\\fP\ninterrupted',
    ];
    assert.deepEqual(
      words.filter((word) => !page.includes(word)),
      [],
    );
  });
});
