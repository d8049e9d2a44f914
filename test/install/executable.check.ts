/**
 * The single executable as somebody has it who installs nothing: an empty home, an empty PATH, the file alone. It is
 * built here from the packed package, for this machine; executables for other systems are read, as they cannot run.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { answerOf } from '../faces/mcp/call-tool.js';
import { argv } from '../support/argv.js';
import { platformHost } from '../support/platform-host.js';
import { addressOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const home = path.join(folder, 'home');
const target = `${process.platform}-${process.arch}`;
const executable = path.join(folder, `extract-${target}`);
const env = { HOME: home, PATH: path.join(folder, 'nothing'), EXTRACT_PACE_MS: '0' };

const extract = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  run(executable, args, { cwd: folder, env: { ...env, ...more }, timeout: 60_000 });

/** The folder into which the executable unpacked itself. */
const unpacked = () =>
  path.join(home, '.cache/public-extract', readdirSync(path.join(home, '.cache/public-extract'))[0] ?? '');

/** Number of threads of a process; NaN on systems without /proc. */
const threadsOf = (pid = 0) =>
  existsSync('/proc/self/task') ? readdirSync(`/proc/${pid}/task`).length : Number.NaN;

/** Waits for a job as its owner would, over the API. */
async function resultsOf(url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ endpoint: 'shortvideo/profile', inputs: [{ username: 'mira.kettle' }] });
  const reply = await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body });
  const { data } = (await reply.json()) as { data: { id: string } };
  assert.equal(reply.status, 202, JSON.stringify(data));
  // The lines are followed until the job has ended.
  const lines = await fetch(`${url}/v1/jobs/${data.id}/results?wait=true`, { headers });
  return lines.text();
}

describe(`the single executable for ${target}`, () => {
  before(() => {
    mkdirSync(home);
    execFileSync(process.execPath, ['scripts/executable/build.mjs', '--out', folder, target], {
      cwd: packageRoot(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });

  test('answers a demo, and says its version', async () => {
    const { version } = JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8'));
    assert.equal((await extract(['--version'])).stdout, `${version}\n`);
    const { stdout } = await extract(argv`tiktok profile nasa --demo --json`);
    assert.equal(JSON.parse(stdout).data.username, 'nasa');
  });

  test('runs a batch into a database, with the native module inside', async () => {
    writeFileSync(path.join(folder, 'names.txt'), 'mira.kettle\nnasa\n');
    await extract(argv`batch tiktok/profile names.txt --demo -o profiles.sqlite`);
    assert.match(readFileSync(path.join(folder, 'profiles.sqlite'), 'latin1'), /^SQLite format 3/);
    const doctor = await extract(['doctor', '--json']).catch((error: { stdout: string }) => error);
    assert.match(doctor.stdout, /"native module","status":"ok"/);
  });

  test('serves, runs a job over a large page, and keeps a backup that is restored', async (t) => {
    const host = await platformHost(t, folder, 'shortvideo/profile', 5_000_000);
    await extract(argv`accounts create --email owner@example.com --verified --credits 100`);
    const { stdout: created } = await extract(argv`keys create --email owner@example.com --name test`);
    const [key] = /xt_live_\w+/.exec(created) ?? assert.fail(created);
    const server = spawn(executable, ['serve', '--port', '0'], {
      env: { ...env, ...host.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const url = await addressOf(server);
      assert.equal((await fetch(`${url}/dashboard`)).status, 200);
      const threads = threadsOf(server.pid);
      const lines = (await resultsOf(url, key)).trim().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).data?.username),
        ['mira.kettle'],
      );
      assert.ok(!(threadsOf(server.pid) <= threads), 'a large page is read in a thread of its own');
      await extract(['backup', path.join(folder, 'backup.tar')]);
    } finally {
      server.kill('SIGTERM');
    }
    const restored = { EXTRACT_HOME: path.join(folder, 'restored') };
    await extract(['restore', path.join(folder, 'backup.tar')], restored);
    const { stdout } = await extract(['accounts', 'list', '--json'], restored);
    assert.match(stdout, /owner@example\.com/);
  });

  test('answers a tool call, and names itself to clients', async () => {
    const tools = new Client({ name: 'executable', version: '1' });
    const args = argv`mcp --account demo`;
    await tools.connect(new StdioClientTransport({ command: executable, args, env }));
    const { data } = await answerOf(tools, 'get_shortvideo_profile', { username: 'mira.kettle' });
    await tools.close();
    assert.equal((data as { username: string }).username, 'mira.kettle');
    const client = JSON.parse((await extract(['mcp', 'install', 'cursor'])).stdout).mcpServers.extract;
    assert.deepEqual([client.command, client.args[0]], [executable, 'mcp']);
  });

  test('says which packages it does not hold', async () => {
    const fault = await extract(['serve', '--port', '0'], {
      EXTRACT_DATABASE_URL: 'postgres://localhost/none',
    }).catch((error: { stderr: string }) => error);
    assert.match(fault.stderr, /single executable does not hold/);
  });

  test('unpacks itself again if a file is missing, and runs nothing that others can write', async () => {
    const place = unpacked();
    const name = path.join(place, 'node_modules/public-extract/dist/src/faces/cli/main.js');
    rmSync(name);
    assert.match((await extract(['--version'])).stdout, /^\d/);
    assert.ok(existsSync(name));
    chmodSync(place, 0o777);
    const other = path.join(folder, 'tmp');
    mkdirSync(other);
    assert.match((await extract(['--version'], { TMPDIR: other })).stdout, /^\d/);
    assert.equal(readdirSync(other).length, 1);
    chmodSync(place, 0o700);
  });

  test('starts where its home cannot be written', async () => {
    const other = path.join(folder, 'other');
    mkdirSync(other);
    const { stdout } = await extract(['--version'], { HOME: executable, TMPDIR: other });
    assert.match(stdout, /^\d/);
  });

  test('unpacks once, however many processes start together', async () => {
    const fresh = path.join(folder, 'fresh');
    mkdirSync(fresh);
    const runs = Array.from({ length: 6 }, () => extract(['--version'], { HOME: fresh }));
    const answers = await Promise.all(runs);
    assert.equal(new Set(answers.map(({ stdout }) => stdout)).size, 1);
    assert.equal(readdirSync(path.join(fresh, '.cache/public-extract')).length, 1);
  });
});
