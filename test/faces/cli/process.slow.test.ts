import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import type { UsageRow } from '../../../lib/ledger/usage-row.js';
import { casesOf } from '../../../lib/samples.js';
import { kebabCase } from '../../../src/output/shell-words.js';
import { argv } from '../../support/argv.js';
import { assertExit } from '../../support/assert-exit.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { outputOf } from '../../support/program-output.js';
import { program, runExtract, startExtract } from '../../support/start-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder();
const env = { EXTRACT_HOME: home, EXTRACT_PACE_MS: '0' };
const start = (args: readonly string[]) => startExtract(args, env);
const run = (...args: string[]) => runExtract(args, env);

/** The first endpoint with a sample of something that does not exist. */
const [chosen] = (
  await Promise.all(endpoints.map(async (one) => ({ endpoint: one, cases: await casesOf(one) })))
).filter((row) => row.cases.some(({ error }) => error?.endsWith('_not_found')));
assert.ok(chosen);
const { endpoint, cases } = chosen;
/** The words that ask for a case. */
const asking = (one: (typeof cases)[number] | undefined) => [
  ...endpoint.path.split('/'),
  ...Object.entries(one?.params ?? {}).map(([name, value]) => `--${kebabCase(name)}=${value}`),
];

describe('the command as a process', { concurrency: 2 }, () => {
  test('answers', async () => {
    const { out, err } = assertExit(await run(...asking(cases[0]), '--demo'), 0);
    assert.equal(err, '');
    assert.equal(JSON.parse(out).meta.credits_charged, 0);
  });

  test('ends with the status of the error, which is on stderr', async () => {
    const missing = cases.find(({ error }) => error?.endsWith('_not_found'));
    assert.ok(missing);
    const notFound = assertExit(await run(...asking(missing), '--demo'), 4);
    assert.equal(notFound.out, '');
    assert.equal(JSON.parse(notFound.err).error.code, missing?.error);
    for (const wrong of [['frob'], endpoint.path.split('/')]) assertExit(await run(...wrong), 2);
  });

  test('a setting that cannot be read is a usage error', async () => {
    const { err } = assertExit(await runExtract(['credits'], { ...env, EXTRACT_TIMEOUT_MS: 'soon' }), 2);
    assert.match(JSON.parse(err).error.message, /EXTRACT_TIMEOUT_MS/);
  });

  test('keeps its data in the home of its user where HOME is empty, wherever it is called', async () => {
    const child = spawn(process.execPath, argv`${program} config --json`, {
      cwd: home,
      env: { ...process.env, HOME: '', EXTRACT_HOME: '', XDG_DATA_HOME: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { data } = JSON.parse((await outputOf(child)).out);
    const { value } = data.find(({ setting }: { setting: string }) => setting === 'EXTRACT_HOME');
    assert.ok(path.isAbsolute(value), value);
  });

  test('ends without an error when the reader leaves', async () => {
    const child = start(argv`errors --format csv`);
    child.stdout?.destroy();
    assert.deepEqual(await outputOf(child), { status: 0, out: '', err: '' });
  });

  test('completes its work if stderr is closed', async () => {
    const [names, output] = [path.join(home, 'unread.txt'), path.join(home, 'unread.ndjson')];
    writeFileSync(names, 'mira.kettle\n');
    const child = start(argv`batch shortvideo/profile ${names} --demo -o ${output}`);
    child.stderr?.destroy();
    assert.equal((await outputOf(child)).status, 0);
    assert.equal(ndjsonValues(readFileSync(output, 'utf8')).length, 1);
    const refused = start(['frob']);
    refused.stderr?.destroy();
    assert.equal((await outputOf(refused)).status, 2, 'the status is the one place left for it');
  });

  test('reports that the output cannot be written', {
    skip: existsSync('/dev/full') ? false : 'no /dev/full here',
  }, async () => {
    const child = spawn('sh', ['-c', `"${process.execPath}" "${program}" errors --json > /dev/full`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { err } = assertExit(await outputOf(child), 1);
    assert.match(JSON.parse(err).error.message, /^The output cannot be written: its disk is full/);
  });

  for (const [name, args, input, code, ends] of [
    ['a call', [...asking(cases[0])], '', ['platform_unavailable'], 5],
    ['a batch', argv`batch shortvideo/profile --quiet`, '{"username":"one"}\n{"username":"two"}\n', [], 7],
  ] as const) {
    test(`reports an unusable cache once, and first: ${name}`, async () => {
      const own = mkdtempSync(path.join(home, 'uncached-'));
      mkdirSync(path.join(own, 'answers.db'));
      // No proxy listens there, so no call reaches a platform.
      const away = { ...env, EXTRACT_HOME: own, HTTPS_PROXY: 'http://127.0.0.1:9' };
      const { status, err } = await runExtract(args, away, input);
      const [warning, ...more] = ndjsonValues(err);
      assert.match(warning.warning.message, /^Caching is off for now: answers\.db.*permissions/);
      assert.deepEqual([status, more.map(({ error }) => error.code)], [ends, code]);
    });
  }

  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    test(`${signal} in the middle of a call refunds its credits and exits with ${status}`, async () => {
      const silent = net.createServer();
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as net.AddressInfo;
      const own = { ...env, EXTRACT_HOME: mkdtempSync(path.join(home, 'interrupted-')) };
      const proxy = { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '', no_proxy: '' };
      const child = startExtract([...asking(cases[0]), '--json'], { ...own, ...proxy });
      const end = outputOf(child);
      const [socket] = await Promise.race([
        once(silent, 'connection') as Promise<[net.Socket]>,
        end.then(({ err }) => assert.fail(err)),
      ]);
      socket.on('error', () => undefined);
      child.kill(signal);
      assert.deepEqual(await end, { status, out: '', err: 'Interrupted.\n' });
      socket.destroy();
      silent.close();
      const usage = JSON.parse((await runExtract(argv`usage --json`, own)).out);
      const rows = usage.data.map((row: UsageRow) => [row.status, row.credits_charged, row.credits_refunded]);
      assert.deepEqual(rows, [['failed', 0, endpoint.credits]]);
      assert.equal(usage.meta.credits_remaining, 50_000);
    });
  }
});

describe('messages about missing resources of the machine', { skip: process.platform !== 'linux' }, () => {
  const run = (args: readonly string[], shell: string, home: string) =>
    spawnSync('sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, program, ...args], {
      ...{ encoding: 'utf8', env: { ...process.env, EXTRACT_HOME: home }, timeout: 60_000 },
    });

  test('name the cause and what to do', () => {
    const folder = temporaryFolder();
    // With fewer than some twenty Node.js itself does not start. How many are open before that depends on who starts it.
    const message = /too few files.*ulimit -n|ran out of file descriptors.*ulimit -n/;
    let refusals = 0;
    for (let limit = 16; limit < 60; limit += 1) {
      const { status, stderr } = run(['credits'], `ulimit -n ${limit}`, folder);
      if (status === 0) break;
      if (stderr === '' || /^\s+at .* \(node:/m.test(stderr)) continue;
      assert.equal(status, 1);
      assert.match(stderr, message);
      refusals += 1;
    }
    assert.ok(refusals > 0, 'some limit lets Node.js start and the program not');
    const names = path.join(folder, 'names.txt');
    writeFileSync(names, 'mira.kettle\n');
    const full = argv`batch shortvideo/profile ${names} -o /dev/full --demo`;
    for (const [args, home, said] of [
      [['credits'], '/proc/nowhere', /\/proc\/nowhere cannot be created.*EXTRACT_HOME/],
      [full, folder, /cannot be written: its disk is full/],
    ] as const) {
      const { status, stderr } = run(args, ':', home);
      assert.equal(status, 1);
      assert.match(stderr, said);
    }
  });
});
