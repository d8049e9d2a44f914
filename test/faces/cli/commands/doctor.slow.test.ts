import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { casesOf } from '../../../../lib/samples.js';
import { againIfHeld } from '../../../support/awake-time.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { platformHost } from '../../../support/platform-host.js';
import { outputOf } from '../../../support/program-output.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const root = temporaryFolder();

const program = path.join(packageRoot(), 'bin/extract.js');

/** Runs the command in a separate process, as a user does. */
const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  outputOf(
    spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...env }, timeout: 60_000 }),
  );

let homes = 0;
function newHome(): string {
  const home = path.join(root, `home-${++homes}`);
  mkdirSync(home, { mode: 0o700 });
  return home;
}

/** The host of a platform, with the settings that lead there. */
async function shortvideoHost(t: TestContext) {
  const folder = path.join(root, `tls-${++homes}`);
  mkdirSync(folder);
  return platformHost(t, folder, 'shortvideo/profile');
}

const canaryOf = (params: object, over: object = {}) => ({
  ...{ endpoint: 'shortvideo/profile', params, filled: ['avatar_url'], source: 'invented' },
  ...over,
});

function canaryFile(...canaries: object[]): string {
  const file = path.join(root, `canaries-${++homes}.json`);
  writeFileSync(file, JSON.stringify(canaries));
  return file;
}

/** A test of looks at this machine: each host has three seconds to answer. */
const lookTest = (name: string, work: (t: TestContext) => Promise<void>) =>
  test(name, (t) => againIfHeld(() => work(t)));

describe('extract doctor', () => {
  lookTest(
    'checks everything in a line each, in the envelope, without a request to a platform',
    async (t) => {
      const host = await shortvideoHost(t);
      const env = { ...host.env, EXTRACT_HOME: newHome(), NO_PROXY: '', EXTRACT_BROWSER: 'never' };
      const ran = await run(argv`doctor --json`, env);
      const { data } = JSON.parse(ran.out) as { data: { check: string; status: string; message: string }[] };
      const checks = data.map(({ check }) => check);
      const machine = ['node', 'native module', 'data directory', 'disk', 'cursor key', 'ledger', 'cache'];
      const others = ['settings', 'clock', 'proxy', 'maps', 'shortvideo', 'login', 'version'];
      for (const check of [...machine, ...others]) assert.ok(checks.includes(check), check);
      assert.ok(
        data.every(({ status }) => status === 'ok'),
        ran.out,
      );
      assert.equal(ran.status, 0, ran.err);
      assert.equal(host.requests(), 0, 'a platform was asked');
      assert.ok(!existsSync(path.join(env.EXTRACT_HOME, 'ledger.db')), 'a look has made something');
    },
  );

  lookTest('ends with 5 where something fails, and with 1 for warnings where it is strict', async (t) => {
    const host = await shortvideoHost(t);
    const env = { ...host.env, EXTRACT_HOME: newHome(), NO_PROXY: '', EXTRACT_PASE_MS: '1' };
    assert.equal((await run(['doctor'], env)).status, 0);
    assert.equal((await run(argv`doctor --strict`, env)).status, 1);
    const broken = { ...env, EXTRACT_TIMEOUT_MS: 'soon' };
    const ran = assertExit(await run(argv`doctor --format table`, broken), 5);
    const settings = /^failed {3}settings {8}The setting EXTRACT_TIMEOUT_MS must be .*\n {25}Correct it/m;
    assert.match(ran.out, settings);
    assert.match(
      ran.out,
      /^warning {2}settings {8}EXTRACT_PASE_MS is not a setting\.\n {25}Did you mean EXTRACT_PACE_MS/m,
    );
  });

  test('refuses options that do not go together, and endpoints that there are not', async () => {
    for (const [args, message] of [
      [argv`--live --bundle x`, /either --live or --bundle/],
      [argv`--save x`, /requires --live/],
      [argv`--pages x`, /requires --bundle/],
      [argv`--live maps/nothing`, /Unknown endpoint \\"maps\/nothing\\"/],
    ] as const) {
      const ran = await extract(argv`doctor ${args} --json`);
      assert.equal(ran.status, 2, ran.out);
      assert.match(ran.err, message);
    }
  });
});

describe('extract doctor --live', () => {
  test('tests each route over the network at no charge, and shows a row for each', async (t) => {
    const host = await shortvideoHost(t);
    const [sample] = await casesOf({ path: 'shortvideo/profile' });
    const home = newHome();
    // A file may hold canaries of endpoints that are not asked now.
    const elsewhere = canaryOf({ query: 'kiln' }, { endpoint: 'maps/places', filled: ['name'] });
    const env = {
      ...host.env,
      EXTRACT_HOME: home,
      EXTRACT_CANARIES: canaryFile(elsewhere, canaryOf(sample?.params ?? {})),
    };
    const ran = await run(argv`doctor --live shortvideo/profile --json`, env);
    assert.equal(ran.status, 0, ran.err + ran.out);
    const { data } = JSON.parse(ran.out) as { data: Record<string, unknown>[] };
    assert.deepEqual(
      data.map(({ endpoint, route }) => `${endpoint} ${route}`),
      ['page', 'embed', 'oembed'].map((route) => `shortvideo/profile ${route}`),
    );
    const { outcome, filled, fields, source, seconds, requests, bytes } = data[0] ?? {};
    assert.deepEqual([outcome, fields, requests], ['ok', 11, 1]);
    assert.ok(Number(filled) > 8 && Number(seconds) >= 0 && Number(bytes) > 1000);
    assert.match(String(source), /^www\.tiktok\.com\/@/);
    assert.ok(!existsSync(path.join(home, 'ledger.db')), 'something was booked');
  });

  test('saves the table and every page, never faster than the pace', async (t) => {
    const host = await shortvideoHost(t);
    const [sample] = await casesOf({ path: 'shortvideo/profile' });
    const wrong = canaryOf(sample?.params ?? {}, { match: { username: 'nobody' } });
    const saved = path.join(root, 'saved');
    const env = {
      ...host.env,
      ...{
        EXTRACT_HOME: newHome(),
        EXTRACT_PACE_MS: '700',
        EXTRACT_CANARIES: canaryFile(wrong, wrong, wrong),
      },
    };
    const began = performance.now();
    const args = argv`doctor --live shortvideo/profile --save ${saved} --format table`;
    const ran = await run(args, env);
    const ms = performance.now() - began;
    assert.equal(ran.status, 0, ran.err);
    assert.match(ran.out, /endpoint +route +outcome +bytes +seconds/);
    assert.match(ran.out, /shortvideo\/profile +page +incomplete/);
    const pages = readFileSync(path.join(saved, 'shortvideo-profile', 'pages.ndjson'), 'utf8');
    assert.equal(pages.trim().split('\n').length, host.requests());
    assert.doesNotMatch(pages, /cookie/i);
    const { rows, version, userAgent } = JSON.parse(readFileSync(path.join(saved, 'table.json'), 'utf8'));
    assert.equal(rows.length, 9);
    assert.ok(version !== undefined && /public-extract/.test(userAgent));
    assert.ok(ms >= 1400, `${host.requests()} requests in ${ms} ms`);
    assertExit(await run(argv`doctor --live shortvideo/profile --strict`, env), 1);
  });

  test('exits with 5 if a platform cannot be reached', async () => {
    const env = { EXTRACT_HOME: newHome(), HTTPS_PROXY: 'http://127.0.0.1:9', EXTRACT_PACE_MS: '0' };
    const ran = assertExit(await run(argv`doctor --live shortvideo/profile --json`, env), 5);
    assert.equal(JSON.parse(ran.out).data[0].outcome, 'unreachable');
  });
});
