import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { exitStatus } from '../../../lib/errors/catalogue.js';
import { examplesOf } from '../../../src/faces/cli/endpoint-help.js';
import { exitStatuses, firstExamples } from '../../../src/faces/cli/program-help.js';
import { kebabCase } from '../../../src/output/shell-words.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { inventedRows } from '../../support/invented-rows.js';

async function help(...args: string[]): Promise<string> {
  const ran = assertExit(await extract(args), 0);
  assert.equal(ran.err, '');
  return ran.out;
}

/** The words of a command line as a shell would take them apart. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

for (const endpoint of endpoints) {
  const [platform, name] = endpoint.path.split('/') as [string, string];
  describe(`help of ${endpoint.path}`, () => {
    test('shows price, lifetime, every parameter and every field', async () => {
      const text = await help(platform, name, '--help', '--all');
      const flat = text.replace(/\s+/g, ' ');
      assert.ok(text.startsWith(`Usage: extract ${platform} ${name} [options]`));
      assert.ok(flat.includes(endpoint.summary));
      assert.ok(flat.includes(`costs ${endpoint.credits} credits`));
      assert.doesNotMatch(flat, /\.\. |\(default/);
      for (const param of Object.keys(endpoint.params))
        assert.match(text, new RegExp(`^  --${kebabCase(param)}[ \\n]`, 'm'));
      for (const old of Object.keys(endpoint.renamed))
        assert.doesNotMatch(text, new RegExp(`--${kebabCase(old)}\\b`));
      const bounds = `a whole number from 1 to ${endpoint.page?.max}. Default: ${endpoint.page?.max}.`;
      assert.equal(flat.includes(bounds), endpoint.page !== null);
      assert.equal(text.includes('--all'), endpoint.page !== null);
      for (const field of Object.keys((endpoint.returns as unknown as { shape: object }).shape))
        assert.ok(flat.includes(field), field);
    });

    test('its examples work unchanged', async () => {
      const examples = await examplesOf(endpoint);
      assert.ok(examples.length > 0);
      const text = await help(platform, name, '--help');
      for (const { command } of examples) {
        assert.ok(text.includes(`\n  ${command}\n`) || text.endsWith(`\n  ${command}\n`), command);
        const [program, ...args] = words(command);
        assert.equal(program, 'extract');
        const ran = assertExit(await extract(args), 0);
        assert.notEqual(ran.out, '');
      }
    });

    test('is listed, and answers to help', async () => {
      const line = new RegExp(`^  ${name} .*${endpoint.summary.slice(0, 20)}`, 'm');
      assert.match(await help(platform, '--help'), line);
      assert.equal(await help(platform, 'help', name), await help(platform, name, '--help'));
    });
  });
}

test('the first page lists the platforms, and every command with its purpose', async () => {
  const help = await extract(['--help'], { endpoints: inventedRows });
  assert.match(help.out, /^Usage: extract \[options\] \[command\]\n/);
  const platforms = /Platforms:\n((?: {2}.*\n)+)/.exec(help.out)?.[1] ?? '';
  assert.match(
    platforms,
    /^ {2}google-maps {2,}Google Maps: harbours, harbour\n {2}linkedin {2,}LinkedIn: notes\n$/,
  );
  const groups = help.out
    .slice(help.out.indexOf('Platforms:'), help.out.indexOf('First steps:'))
    .split('\n')
    .filter((line) => /^ {2}\S/.test(line));
  assert.ok(groups.length > 6);
  for (const line of groups) assert.match(line, /^ {2}[a-z-]+ {2,}\S/);
});

/** The options of a help page, without `--help` itself. */
const optionsOf = (text: string) =>
  [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== '--help');

test('help shows the common options, and the number of the others', async () => {
  for (const { platform, name } of endpoints) {
    const text = await help(platform, name, '--help');
    assert.ok(optionsOf(text).length <= 10, `${platform} ${name}: ${optionsOf(text).join(' ')}`);
    assert.doesNotMatch(text, /credits|charge/i);
    const more = Number(/--help --all shows (\d+) more options/.exec(text)?.[1]);
    const all = optionsOf(await help(platform, name, '--help', '--all'));
    assert.equal(optionsOf(text).length + more, all.length);
  }
  const batch = await help('batch', '--help');
  assert.ok(optionsOf(batch).length <= 15, optionsOf(batch).join(' '));
  assert.match(batch, /--help --all shows \d+ more options/);
});

test('a command that needs another word shows its help on stderr and ends with 2', async () => {
  for (const args of [[], [endpoints[0]?.platform ?? ''], ['cache']]) {
    const ran = assertExit(await extract(args), 2);
    assert.equal(ran.out, '');
    assert.match(ran.err, /^Usage: extract/);
  }
});

test('help of an unknown command suggests existing ones', async () => {
  for (const [args, near] of [
    [argv`accounts grant --help`, ''],
    [argv`accounts credits -h`, 'Did you mean credit?'],
    [argv`accounts help grant`, ''],
    [['help', 'accounts', 'grant'], ''],
    [argv`acounts --help`, 'Did you mean accounts?'],
    [['help', 'acounts'], 'Did you mean accounts?'],
    [argv`linkedin serch --help`, ''],
    [argv`mcp instal --help`, 'Did you mean install?'],
  ] as const) {
    const ran = await extract([...args]);
    assert.deepEqual([ran.status, ran.out], [2, ''], args.join(' '));
    const { message } = JSON.parse(ran.err).error;
    assert.match(message, /^Unknown command "\w+"\. /, args.join(' '));
    assert.ok(message.includes(near), message);
  }
});

test('help shows a command of a command, too', async () => {
  for (const args of [
    ['help', 'accounts', 'credit'],
    argv`accounts help credit`,
    argv`accounts credit --help`,
  ])
    assert.match(await help(...args), /^Usage: extract server accounts credit /);
  assert.match(await help('help'), /^Usage: extract \[options\]/);
  assert.match(await help('accounts', 'help'), /^Usage: extract server accounts /);
});

test('the version', async () => {
  for (const option of argv`--version -V`) assert.match(await help(option), /^\d+\.\d+\.\d+\n$/);
});

test('with --all it lists every command, which settings there are and what exit statuses mean', async () => {
  const text = await help('--help', '--all');
  assert.match(text, /\n {2}server {2,}Run a server/);
  assert.match(text, /\n {2}EXTRACT_HOME {2,}Data directory\b/);
  for (const status of [0, 1, 2, 3, 4, 5, 6, 7, 130])
    assert.match(text, new RegExp(`\n {2}${status} {2,}\\S`));
  for (const [command] of firstExamples) assert.ok(text.includes(`  ${command}  `));
  const [first = ''] = firstExamples[0] ?? [];
  assertExit(await extract(words(first).slice(1)), 0);
});

test('every exit status that an error has is explained', () => {
  const explained = exitStatuses.map(([status]) => status);
  for (const status of Object.values(exitStatus)) assert.ok(explained.includes(status));
});
