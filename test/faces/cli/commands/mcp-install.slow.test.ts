import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { writeLogin } from '../../../../lib/remote/login.js';
import { type Connection, clients } from '../../../../src/faces/cli/mcp-clients.js';
import { writeEntry } from '../../../../src/faces/cli/mcp-write.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { program as bin, runExtract } from '../../../support/start-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const program: Connection = {
  command: '/opt/a b/node',
  args: argv`/opt/extract.js mcp --account local`,
  env: { EXTRACT_HOME: '/data "here"' },
};
const plain: Connection = { command: 'node', args: ['mcp'], env: {} };
const server: Connection = { url: 'https://tools.example/mcp', key: 'THE_KEY' };

const of = (id: string) => {
  const client = clients.find((one) => one.id === id);
  assert.ok(client, id);
  return client;
};
const parsed = (id: string, connection: Connection) => JSON.parse(of(id).configuration(connection) ?? 'null');

describe('the configuration of a client', () => {
  for (const [id, section, url] of [
    ['claude-desktop', 'mcpServers', null],
    ['cursor', 'mcpServers', 'url'],
    ['vscode', 'servers', 'url'],
    ['windsurf', 'mcpServers', 'serverUrl'],
    ['gemini', 'mcpServers', 'httpUrl'],
    ['zed', 'context_servers', 'url'],
  ] as const)
    test(`${id} starts the program, or reaches a server, with a key and without`, () => {
      const entryOf = (connection: Connection) => parsed(id, connection)[section].extract;
      const type = (kind: string) => (id === 'vscode' ? { type: kind } : {});
      assert.deepEqual(entryOf(program), { ...type('stdio'), ...program });
      assert.equal('env' in entryOf(plain), false);
      if (url === null) return;
      const headers = { Authorization: 'Bearer THE_KEY' };
      assert.deepEqual(entryOf(server), { ...type('http'), [url]: server.url, headers });
      assert.equal('headers' in entryOf({ ...server, key: undefined }), false);
    });

  test('Claude Code is configured by a command that a shell parses as intended', () => {
    const words = (connection: Connection) => {
      const command = of('claude-code').configuration(connection) ?? '';
      const script = `claude() { printf '%s\\n' "$@"; }; ${command}`;
      const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
      return stdout.trimEnd().split('\n');
    };
    assert.deepEqual(words(program), [
      ...['mcp', 'add', '--transport', 'stdio', 'extract', '--env', 'EXTRACT_HOME=/data "here"', '--'],
      ...['/opt/a b/node', '/opt/extract.js', 'mcp', '--account', 'local'],
    ]);
    assert.deepEqual(words(server), [
      ...['mcp', 'add', '--transport', 'http', 'extract', 'https://tools.example/mcp'],
      ...['--header', 'Authorization: Bearer THE_KEY'],
    ]);
  });

  test('Codex has TOML', () => {
    assert.equal(
      of('codex').configuration(program),
      '[mcp_servers.extract]\ncommand = "/opt/a b/node"\nargs = ["/opt/extract.js","mcp","--account","local"]\nenv.EXTRACT_HOME = "/data \\"here\\""\n',
    );
    assert.equal(
      of('codex').configuration(server),
      '[mcp_servers.extract]\nurl = "https://tools.example/mcp"\nhttp_headers = { Authorization = "Bearer THE_KEY" }\n',
    );
  });
});

describe('extract mcp install', () => {
  const run = (...args: string[]) => extract(argv`mcp install ${args}`);

  test('prints a client’s entry unchanged, and the path of its file on stderr', async () => {
    const { out, err } = assertExit(await run('cursor'), 0);
    assert.deepEqual(JSON.parse(out).mcpServers.extract.args, [bin, 'mcp', '--account', 'local']);
    assert.equal(JSON.parse(out).mcpServers.extract.command, process.execPath);
    assert.match(err, /^Cursor: .*mcp\.json\n$/);
  });

  test('keeps the data directory that is set, and never prints a key', async () => {
    const set = { EXTRACT_HOME: '/data', EXTRACT_API_KEY: 'xt_live_secret' };
    const { out, err } = await runExtract(argv`mcp install cursor --account key`, set);
    const env = { EXTRACT_HOME: '/data', EXTRACT_API_KEY: '<API_KEY>' };
    assert.deepEqual(JSON.parse(out).mcpServers.extract.env, env);
    assert.match(err, /Replace <API_KEY>/);
    assert.ok(!`${out}${err}`.includes('xt_live_secret'));
  });

  test('a data directory with a login needs no other key', async () => {
    const home = temporaryFolder();
    writeLogin(home, { baseUrl: 'https://extract.example.com/v1', apiKey: 'xt_live_secret' });
    const set = { EXTRACT_HOME: home, EXTRACT_API_KEY: '', EXTRACT_BASE_URL: '' };
    const { out, err } = await runExtract(argv`mcp install cursor`, set);
    const { args, env } = JSON.parse(out).mcpServers.extract;
    assert.deepEqual(args.slice(1), ['mcp', '--account', 'key']);
    assert.deepEqual(env, { EXTRACT_HOME: home });
    assert.doesNotMatch(err, /API_KEY/);
  });

  test('a server’s address needs a key, but for a demo', async () => {
    const url = 'http://localhost:8787/mcp';
    const reached = async (...args: string[]) =>
      JSON.parse((await run('cursor', '--url', url, ...args)).out).mcpServers.extract;
    assert.deepEqual(await reached(), { url, headers: { Authorization: 'Bearer <API_KEY>' } });
    assert.deepEqual(await reached('--account', 'demo'), { url });
    const { out, err } = await run('claude-desktop', '--url', url);
    assert.equal(out, '');
    assert.match(err, /omit --url/);
    assert.match((await run('--url', url)).out, /# Claude Desktop cannot/);
  });
});

describe('extract mcp install --write', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'settings', 'mcp.json');
  const entry = '{"mcpServers":{"extract":{"command":"node"}}}';

  test('creates a missing file, readable by its owner only', async () => {
    assert.equal(await writeEntry(file, entry), null);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(entry));
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test('leaves what else is there, takes the place of an older entry, and keeps each earlier file', async () => {
    const before = '{"theme":"dark","mcpServers":{"other":{"url":"x"},"extract":{"command":"old"}}}';
    writeFileSync(file, before);
    const first = await writeEntry(file, entry);
    const second = await writeEntry(file, entry);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      theme: 'dark',
      mcpServers: { other: { url: 'x' }, extract: { command: 'node' } },
    });
    assert.equal(readFileSync(String(first), 'utf8'), before);
    assert.notEqual(first, second);
  });

  test('changes nothing in a file that it cannot read as JSON', async () => {
    for (const text of ['{ // mine\n}', '[]', '{"mcpServers":[]}']) {
      writeFileSync(file, text);
      const names = readdirSync(path.dirname(file));
      await assert.rejects(writeEntry(file, entry), { code: 'invalid_parameter' });
      assert.equal(readFileSync(file, 'utf8'), text);
      assert.deepEqual(readdirSync(path.dirname(file)), names);
    }
  });

  test('replaces its own TOML table, and keeps the others', async () => {
    const toml = path.join(folder, 'config.toml');
    writeFileSync(
      toml,
      'model = "x"\n\n[mcp_servers.extract]\ncommand = "old"\n\n[mcp_servers.extract.env]\nA = "1"\n\n[mcp_servers.other]\ncommand = "o"\n',
    );
    await writeEntry(toml, '[mcp_servers.extract]\ncommand = "new"\n');
    const text = readFileSync(toml, 'utf8');
    assert.equal(text.match(/\[mcp_servers\.extract/g)?.length, 1);
    assert.match(text, /model = "x"\n[\s\S]*command = "new"\n[\s\S]*\[mcp_servers\.other\]\ncommand = "o"/);
    assert.doesNotMatch(text, /old|A = "1"/);
    writeFileSync(toml, 'model = "x"\n');
    await writeEntry(toml, '[mcp_servers.extract]\ncommand = "new"\n');
    assert.equal(readFileSync(toml, 'utf8'), 'model = "x"\n\n[mcp_servers.extract]\ncommand = "new"\n');
  });

  test('needs a client, and one that has a file', async () => {
    assert.equal((await extract(argv`mcp install --write`)).status, 2);
    assertExit(await extract(argv`mcp install claude-code --write`), 2, /its own command/);
  });
});
