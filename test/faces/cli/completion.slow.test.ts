import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { kebabCase } from '../../../src/output/shell-words.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { inventedRows } from '../../support/invented-rows.js';

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
      const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-completion-'));
      after(() => rmSync(folder, { recursive: true, force: true }));
      const file = path.join(folder, `completion.${shell}`);
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
  const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-completion-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'kept pages'));
  mkdirSync(path.join(folder, 'keep'));
  writeFileSync(path.join(folder, 'keep.txt'), '');
  writeFileSync(path.join(folder, 'kept words.txt'), '');

  /** What bash offers for the last of the words. */
  async function offers(...words: string[]): Promise<string[]> {
    const file = path.join(folder, 'completion.bash');
    writeFileSync(file, await script('bash'));
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const line = `source '${file}'; COMP_WORDS=(extract ${quoted}); COMP_CWORD=${words.length}; _extract; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync('bash', argv`--norc -c ${line}`, { cwd: folder, encoding: 'utf8' });
    assert.equal(ran.stderr, '');
    return ran.stdout.split('\n').filter((word) => word !== '');
  }

  test('commands', async () => {
    assert.deepEqual(await offers('ma'), ['maps']);
    assert.deepEqual(await offers('maps', ''), ['harbours', 'harbour', 'help']);
    assert.deepEqual(await offers('maps', 'harbours', ''), []);
    assert.deepEqual(await offers('cac'), ['cache']);
    assert.deepEqual(await offers('usage', 'cr'), ['credits']);
    assert.deepEqual(await offers('cache', 'cl'), ['clear']);
  });

  test('options of the command, and of no other', async () => {
    assert.deepEqual(await offers('maps', 'harbours', '--m'), ['--max-depth']);
    assert.deepEqual(await offers('maps', 'harbour', '--m'), []);
    assert.deepEqual(await offers('maps', 'harbours', 'x', '--al'), ['--all']);
    assert.deepEqual(await offers('maps', 'harbour', 'x', '--al'), []);
  });

  test('the words an option takes', async () => {
    assert.deepEqual(await offers('maps', 'harbours', '--sort', ''), ['near', 'large']);
    assert.deepEqual(await offers('maps', 'harbours', '--format', 'n'), ['ndjson']);
    assert.deepEqual(await offers('usage', '--endpoint', 'pro'), ['pronetwork/notes']);
    assert.deepEqual(await offers('maps', 'harbours', '--query', ''), []);
  });

  test('folders, those with blanks in their names whole', async () => {
    assert.deepEqual((await offers('maps', 'harbour', '--from-pages', 'ke')).sort(), ['keep', 'kept pages']);
  });

  test('files where an option or an argument takes one, those with blanks in their names whole', async () => {
    const all = ['keep', 'keep.txt', 'kept pages', 'kept words.txt'];
    const files = async (...words: string[]) => (await offers(...words)).sort();
    assert.deepEqual(await files('maps', 'harbour', '--output', 'ke'), all);
    assert.deepEqual(await files('maps', 'harbour', '-o', 'kept w'), ['kept words.txt']);
    assert.deepEqual(await files('convert', 'ke'), all);
    assert.deepEqual(await files('convert', 'keep.txt', 'kept w'), ['kept words.txt']);
    assert.deepEqual(await files('batch', 'ma'), ['maps/harbour', 'maps/harbours']);
    assert.deepEqual(await files('batch', 'ke'), all);
    assert.deepEqual(await files('batch', 'maps/harbour', ''), ['completion.bash', ...all].sort());
    assert.deepEqual(await files('maps', 'harbour', 'ke'), []);
  });
});
