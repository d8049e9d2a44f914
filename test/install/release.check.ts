/**
 * The files of a release as somebody has them who has nothing else: in empty folders, without the repository. Outside
 * tools check the sums and the bill; package, executable and wheel run the first screen of the README; a data directory
 * goes to the next version and back. The image of the same package is tried by `container.check.ts`. They are made in a
 * clone of the commit, as the checkout's own build is in use by the other checks.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { platformHost } from '../support/platform-host.js';
import { addressOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const root = packageRoot();
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const release = path.join(folder, 'release', version);
const packageFile = `${name}-${version}.tgz`;

/** A clone of the commit that builds with the checkout's packages. */
function cloneInto(called: string): string {
  const place = path.join(folder, called);
  execFileSync('git', ['clone', '--quiet', root, place]);
  symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
  return place;
}

const makeRelease = (clone: string) =>
  execFileSync(
    'npm',
    ['run', '--silent', 'release', '--', version, '--dry-run', '--out', path.dirname(release)],
    {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

/** A folder that holds nothing. */
function emptyFolder(called: string): string {
  const place = path.join(folder, called);
  mkdirSync(place);
  return place;
}

/** Installs a packed package into a folder of its own, and gives its command. */
function install(called: string, file: string): string {
  const place = emptyFolder(called);
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', place, ...options, file], { cwd: place, stdio: 'pipe' });
  return path.join(place, 'node_modules', name, 'bin', 'extract.js');
}

/** The card of the README's first screen. */
const firstScreen = /<!-- begin terminal -->\n```\n\$ extract (?<command>[^\n]+)\n(?<card>.+?)```/s.exec(
  readFileSync(path.join(root, 'README.md'), 'utf8'),
)?.groups as { readonly command: string; readonly card: string };

/** Lines of a card that its width does not change. */
const shortLines = (text: string) =>
  text.split('\n').filter((line) => /^(username|display_name|is_verified|\w+_count) /.test(line));

const bare = (home: string) => ({ HOME: home, PATH: path.dirname(process.execPath), EXTRACT_PACE_MS: '0' });

/** The next version, built of a clone in which the number alone differs. */
function packNext(): string {
  const place = cloneInto('next-clone');
  const manifest = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: place, stdio: 'pipe' });
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: place, stdio: 'pipe' });
  return path.join(place, `${name}-99.0.0.tgz`);
}

describe('the files of a release', () => {
  let clone: string;
  before(() => {
    clone = cloneInto('clone');
    makeRelease(clone);
  });

  test('have the sums that an outside tool finds, and are left alone by a second run', () => {
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: release });
    const again = makeRelease(clone);
    for (const step of [
      'notes',
      'package',
      'bill',
      'python',
      'n8n',
      'chart',
      'executables',
      'package-managers',
    ])
      assert.match(again, new RegExp(`^${step}: there already$`, 'm'));
  });

  test('have a bill of materials that another validator takes, for each package that is bundled', () => {
    const schemas = path.join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
    const check = `
import json, pathlib, sys
from jsonschema import Draft7Validator, RefResolver
folder = pathlib.Path(sys.argv[2])
bill = json.load(open(sys.argv[1]))
load = lambda name: json.load(open(folder / name))
schema = load(f"bom-{bill['specVersion']}.SNAPSHOT.schema.json")
files = [f"{name}.SNAPSHOT.schema.json" for name in ("spdx", "jsf-0.82", "cryptography-defs")]
resolver = RefResolver.from_schema(schema, store={f"http://cyclonedx.org/schema/{file}": load(file) for file in files})
errors = [error.message for error in Draft7Validator(schema, resolver=resolver).iter_errors(bill)]
print(json.dumps({"errors": errors, "components": len(bill["components"])}))
`;
    const { errors, components } = JSON.parse(
      execFileSync('/usr/bin/python3', ['-c', check, path.join(release, 'sbom.cdx.json'), schemas], {
        encoding: 'utf8',
      }),
    );
    assert.deepEqual(errors, []);
    const bundled =
      readFileSync(path.join(release, 'THIRD-PARTY.txt'), 'utf8').split('\n--------\n').length - 1;
    assert.ok(components >= bundled, `${components} of ${bundled}`);
  });

  test('run the first screen of the README: the package, and the executable with an empty PATH', async () => {
    const command = install('package', path.join(release, packageFile));
    const words = [...firstScreen.command.split(' '), '--format', 'table'];
    const wanted = shortLines(firstScreen.card);
    assert.ok(wanted.length >= 6);
    const home = emptyFolder('home');
    const installed = await run(process.execPath, [command, ...words], { env: bare(home) });
    assert.deepEqual(shortLines(installed.stdout), wanted);
    const own = emptyFolder('executable');
    const file = path.join(own, 'extract');
    cpSync(path.join(release, `extract-${process.platform}-${process.arch}`), file);
    const alone = await run(file, words, { cwd: own, env: { HOME: own, PATH: own } });
    assert.deepEqual(shortLines(alone.stdout), wanted);
  });

  test('run it from the wheel, against a server of the package', async () => {
    const command = path.join(folder, 'package', 'node_modules', name, 'bin', 'extract.js');
    const home = emptyFolder('server');
    const server = spawn(process.execPath, [command, 'serve', '--port', '0'], {
      env: bare(home),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const url = await addressOf(server);
      const program = [
        'from public_extract import Client',
        `answer = Client("${url}").get_shortvideo_profile(username="mira.kettle", demo=True)`,
        'print(answer.data["follower_count"])',
      ].join('\n');
      const wheel = path.join(release, `public_extract-${version}-py3-none-any.whl`);
      const { stdout } = await run('/usr/bin/python3', ['-c', program], {
        cwd: home,
        env: { PYTHONPATH: wheel },
      });
      const shown = /follower_count +([\d,]+)/.exec(firstScreen.card)?.[1]?.replaceAll(',', '');
      assert.equal(stdout.trim(), shown);
    } finally {
      server.kill('SIGTERM');
    }
  });
});

test('a data directory goes to the next version and back, with its money, keys and results', async (t) => {
  const commands = {
    this: install('this', path.join(release, packageFile)),
    next: install('next', packNext()),
  };
  const host = await platformHost(t, folder, { path: 'shortvideo/profile', hosts: ['www.tiktok.com'] });
  const home = emptyFolder('directory');
  const env = { ...bare(home), EXTRACT_HOME: home, ...host.env };
  const extract = async (which: keyof typeof commands, ...args: string[]) =>
    (await run(process.execPath, [commands[which], ...args], { env })).stdout;
  const account = ['--email', 'owner@example.com'];
  await extract('this', 'accounts', 'create', ...account, '--verified', '--credits', '100');
  const key = /xt_live_\w+/.exec(await extract('this', 'keys', 'create', ...account, '--name', 'test'))?.[0];
  assert.ok(key);
  const results: string[] = [];
  const balances: number[] = [];
  for (const which of ['this', 'next', 'this', 'next'] as const) {
    const server = spawn(process.execPath, [commands[which], 'serve', '--port', '0'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const url = await addressOf(server);
      const headers: Record<string, string> = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ endpoint: 'shortvideo/profile', inputs: [{ username: 'mira.kettle' }] });
      const made = await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body });
      assert.equal(made.status, 202);
      const { data } = (await made.json()) as { data: { id: string } };
      await (await fetch(`${url}/v1/jobs/${data.id}/results?wait=true`, { headers })).text();
      results.push(data.id);
      for (const id of results) {
        const lines: string = await (await fetch(`${url}/v1/jobs/${id}/results`, { headers })).text();
        assert.equal(JSON.parse(lines).data.username, 'mira.kettle', `${id} read by ${which}`);
      }
      const answer = await fetch(`${url}/v1/shortvideo/profile?username=mira.kettle`, { headers });
      const { meta } = (await answer.json()) as { meta: { credits_remaining: number } };
      balances.push(meta.credits_remaining);
    } finally {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    }
  }
  const [first = 0, second = 0] = balances;
  const turn = first - second;
  assert.ok(turn > 0);
  assert.deepEqual(balances, [first, first - turn, first - 2 * turn, first - 3 * turn]);
  for (const which of ['this', 'next'] as const) {
    const doctor = JSON.parse(
      await extract(which, 'doctor', '--json').catch((error: { stdout: string }) => error.stdout),
    ) as { data: readonly { check: string; status: string }[] };
    const failed = doctor.data.filter(
      ({ check, status }) => /ledger|results|state/.test(check) && status !== 'ok',
    );
    assert.deepEqual(failed, []);
  }
});
