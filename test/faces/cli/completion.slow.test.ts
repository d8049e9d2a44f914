import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { kebabCase } from '../../../src/output/shell-words.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { inventedRows } from '../../support/invented-rows.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function script(shell: string, rows = inventedRows): Promise<string> {
  const ran = assertExit(await extract(['completion', shell], { endpoints: rows }), 0);
  return ran.out;
}

const missing = (shell: string): string | false =>
  spawnSync(shell, argv`-c ${'exit 0'}`).status === 0 ? false : `${shell} is not installed`;

describe('every shell', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    test(`${shell}: has every command and every option of the table`, async () => {
      const text = await script(shell, [...endpoints]);
      for (const { path: words, params } of endpoints) {
        assert.ok(text.includes(words.replace('/', ' ')), words);
        for (const param of Object.keys(params))
          assert.match(text, new RegExp(`(--|-l )${kebabCase(param)}\\b`), param);
      }
    });

    test(`${shell}: its own shell can read it`, { skip: missing(shell) }, async () => {
      const file = path.join(temporaryFolder(), `completion.${shell}`);
      writeFileSync(file, await script(shell));
      const read = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      assert.equal(read.status, 0, read.stderr);
    });
  }

  test('a shell that is not known is refused', async () => {
    assertExit(await extract(argv`completion csh --json`), 2);
  });
});

describe('bash, at work', { skip: missing('bash') }, () => {
  const folder = temporaryFolder();
  for (const name of ['kept pages', 'keep']) mkdirSync(path.join(folder, name));
  for (const name of ['keep.txt', 'kept words.txt']) writeFileSync(path.join(folder, name), '');

  /** What bash offers for the last of the words, which is empty after a blank. */
  async function offers(words: readonly string[]): Promise<string[]> {
    const file = path.join(folder, 'completion.bash');
    writeFileSync(file, await script('bash'));
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const line = `source '${file}'; COMP_WORDS=(extract ${quoted}); COMP_CWORD=${words.length}; _extract; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync('bash', argv`--norc -c ${line}`, { cwd: folder, encoding: 'utf8' });
    assert.equal(ran.stderr, '');
    return ran.stdout.split('\n').filter((word) => word !== '');
  }

  const files = ['completion.bash', 'keep', 'keep.txt', 'kept pages', 'kept words.txt'];
  const named = files.slice(1);
  const offered: Readonly<Record<string, readonly string[]>> = {
    ma: ['maps'],
    'maps ': ['harbours', 'harbour', 'help'],
    'maps harbours ': [],
    cac: ['cache'],
    'usage cr': ['credits'],
    'cache cl': ['clear'],
    'maps harbours --m': ['--max-depth'],
    'maps harbour --m': [],
    'maps harbours x --al': ['--all'],
    'maps harbour x --al': [],
    'maps harbours --sort ': ['near', 'large'],
    'maps harbours --format n': ['ndjson'],
    'usage --endpoint pro': ['pronetwork/notes'],
    'maps harbours --query ': [],
    'maps harbour ke': [],
  };
  for (const [line, words] of Object.entries(offered))
    test(`“${line}”`, async () => assert.deepEqual(await offers(line.split(' ')), words));

  // Bash lists files in an order of its own.
  for (const [line, words] of [
    ['batch ma', ['maps/harbour', 'maps/harbours']],
    ['batch ke', named],
    ['batch maps/harbour ', files],
    ['convert ke', named],
    ['maps harbour --output ke', named],
    ['maps harbour --from-pages ke', ['keep', 'kept pages']],
  ] as const)
    test(`“${line}”`, async () => assert.deepEqual((await offers(line.split(' '))).sort(), words));

  test('files with blanks in their names whole, where they are half typed', async () => {
    for (const words of [argv`maps harbour -o ${'kept w'}`, argv`convert keep.txt ${'kept w'}`])
      assert.deepEqual(await offers(words), ['kept words.txt']);
  });
});
