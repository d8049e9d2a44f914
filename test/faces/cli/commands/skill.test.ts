import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { countTokens } from 'gpt-tokenizer';
import { endpoints } from '../../../../lib/endpoints.js';
import { skillClients } from '../../../../src/faces/cli/skill/skill-clients.js';
import { skillText } from '../../../../src/faces/cli/skill/skill-text.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const install = (...args: string[]) => extract(argv`skill install ${args}`);

/** The lines of the examples that begin with the command. */
const examples = [...skillText(true).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

describe('the skill', () => {
  test('is at most 2,000 tokens, under a head that clients read', () => {
    const tokens = countTokens(skillText(true));
    assert.ok(tokens <= 2000, `${tokens}`);
    const [, name, description = ''] =
      /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(skillText(true)) ?? [];
    assert.equal(name, 'extract');
    assert.ok(description.length <= 1024 && !description.includes(': '));
  });

  test('names each endpoint with its price', () => {
    for (const { path: endpoint, credits } of endpoints)
      assert.match(skillText(true), new RegExp(`\\| ${endpoint} \\|.*\\| ${credits}[ ,]`));
  });

  test('shows commands with options that they have', async () => {
    assert.ok(examples.length > 8);
    for (const line of examples) {
      const words = line.split(' ').slice(1);
      const command = words[0] === 'batch' || words[0] === 'watch' ? words.slice(0, 1) : words.slice(0, 2);
      const { out, status } = await extract(argv`${command} --help --all`);
      const help = status === 0 ? out : (await extract([...command, '--help'])).out;
      for (const word of words.filter((one) => /^--?[a-z]/.test(one)))
        assert.match(help, new RegExp(`(^|[ ,])${word}\\b`, 'm'), line);
    }
  });
});

describe('extract mcp skill', () => {
  const names = ['HOME', 'USERPROFILE'] as const;
  const before = names.map((name) => process.env[name]);
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(path.join(folder, 'home-'));
    for (const name of names) process.env[name] = home;
  });
  afterEach(() => {
    for (const [at, name] of names.entries()) {
      if (before[at] === undefined) delete process.env[name];
      else process.env[name] = before[at];
    }
  });

  test('prints the skill and the path of its file, and writes nothing', async () => {
    const one = await install('codex');
    assert.deepEqual([one.status, one.out], [0, skillText(false)]);
    assert.equal(one.err, `Codex: ${path.join(home, '.codex', 'skills', 'extract', 'SKILL.md')}\n`);
    const all = await install();
    for (const { name } of skillClients) assert.ok(all.err.includes(`${name}: `), name);
    assert.deepEqual(readdirSync(home), []);
  });

  test('writes it on demand, keeps a file that was there, and leaves its own alone', async () => {
    const at = path.join(home, '.claude', 'skills', 'extract');
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, 'SKILL.md'), 'mine');
    const { status, err } = await install('claude-code', '--write');
    assert.equal(status, 0);
    assert.match(err, /wrote .*SKILL\.md\.\nBackup of the original: .*SKILL\.md\.backup-1\n/);
    assert.equal(readFileSync(path.join(at, 'SKILL.md'), 'utf8'), skillText(false));
    assert.equal(readFileSync(path.join(at, 'SKILL.md.backup-1'), 'utf8'), 'mine');
    assert.match((await install('claude-code', '--write')).err, /is up to date/);
    assert.deepEqual(readdirSync(at).sort(), ['SKILL.md', 'SKILL.md.backup-1']);
    assert.equal((await install('cursor', '--write')).status, 0);
    assert.ok(readdirSync(path.join(home, '.cursor', 'skills', 'extract')).includes('SKILL.md'));
  });

  test('refuses an unknown client, and --write without one', async () => {
    assertExit(await install('cursr'), 2, /Did you mean cursor\?/);
    assertExit(await install('--write'), 2, /Name the client/);
  });
});
