// The container file: buildah builds it over a base of this machine's Node.js. It runs with a read-only root.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { argv } from '../support/argv.js';
import { assertExit } from '../support/assert-exit.js';
import { freePort } from '../support/free-port.js';
import { packPackage } from '../support/pack-package.js';
import { outputOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const context = path.join(folder, 'context');
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
const roots = argv`--root ${path.join(folder, 'images')} --runroot ${path.join(folder, 'run')}`;
/** What a program of this machine prints. */
const outputFrom = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const buildah = (args: readonly string[]) => outputFrom('buildah', [...roots, ...args]);
const pathOf = (name: string) => outputFrom('sh', ['-c', `command -v ${name}`]);

function whyNot(): string | false {
  if (spawnSync('buildah', ['--version']).error !== undefined) return 'buildah is not installed';
  return process.getuid?.() === 0 ? false : 'only root can enter the container without its runtime';
}

/** Copies a program of this machine and the libraries it is linked with into a root. */
function copyProgram(root: string, program: string, target: string): void {
  const libraries = outputFrom('ldd', [program]).match(/\/\S+/g) ?? [];
  for (const [from, to] of [...libraries.map((file) => [file, file] as const), [program, target] as const]) {
    mkdirSync(path.join(root, path.dirname(to)), { recursive: true });
    copyFileSync(realpathSync(from), path.join(root, to));
  }
}

/** Builds a base image from this machine's Node.js, npm, shell and certificates, so that no registry is needed. */
function makeBase(): void {
  const root = path.join(folder, 'base', 'root');
  copyProgram(root, process.execPath, '/usr/local/bin/node');
  for (const name of ['sh', 'rm', 'install', 'env']) copyProgram(root, pathOf(name), `/bin/${name}`);
  const npm = realpathSync(pathOf('npm'));
  cpSync(path.dirname(path.dirname(npm)), path.join(root, 'usr/local/lib/npm'), { recursive: true });
  symlinkSync('../lib/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm'));
  mkdirSync(path.join(root, 'usr/bin'));
  symlinkSync('/bin/env', path.join(root, 'usr/bin/env'));
  for (const name of ['root', 'tmp', 'etc/ssl/certs']) mkdirSync(path.join(root, name), { recursive: true });
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  copyFileSync(certificates, path.join(root, certificates));
  const file = path.join(folder, 'base', 'Containerfile');
  const settings = `PATH=/usr/local/bin:/bin HOME=/root NODE_EXTRA_CA_CERTS=${certificates}`;
  writeFileSync(file, `FROM scratch\nCOPY root/ /\nENV ${settings}\n`);
  buildah(argv`build --network host -q -t localhost/base -f ${file} ${path.dirname(file)}`);
}

describe('the container file', { skip: whyNot() }, () => {
  let root: string;
  before(async () => {
    makeBase();
    mkdirSync(context);
    await packPackage(context);
    const file = path.join(packageRoot(), 'deploy/Containerfile');
    const base = argv`--build-arg NODE=localhost/base --build-arg BASE=localhost/base`;
    buildah(argv`build --network host --format docker -q ${base} -t extract -f ${file} ${context}`);
    root = buildah(['mount', buildah(['from', 'extract'])]);
  });
  // Before its folder goes.
  after(() => buildah(['umount', '--all']));

  interface Image {
    readonly Docker: { readonly config: { readonly Env: readonly string[] } & Record<string, unknown> };
  }

  const config = () => (JSON.parse(buildah(argv`inspect --type image extract`)) as Image).Docker.config;

  test('names a user, a volume, a port and a check of health', () => {
    const { User, Volumes, ExposedPorts, Entrypoint, Cmd, Healthcheck } = config();
    assert.deepEqual([User, Volumes, ExposedPorts], ['10001:10001', { '/data': {} }, { '8787/tcp': {} }]);
    assert.deepEqual([Entrypoint, Cmd], [['extract'], ['serve']]);
    assert.ok(Healthcheck);
  });

  // The base, Debian's slim one, has 75 MB; an image without Chromium is to have 250 at most.
  test('adds at most 170 MB to its base', () => {
    const bytesIn = (place: string) => Number.parseInt(outputFrom('du', ['-sb', path.join(root, place)]), 10);
    const bytes = bytesIn('usr/local') - bytesIn('usr/local/lib/npm');
    assert.ok(bytes < 170e6, String(bytes));
  });

  test('gives the card of the first screen', () => {
    const node = argv`${root} /usr/local/bin/node /usr/local/bin/extract`;
    const env = { HOME: '/tmp', PATH: '/usr/local/bin' };
    const words = argv`${node} tiktok profile mira.kettle --demo --format table`;
    const card = execFileSync('/usr/sbin/chroot', words, { env, encoding: 'utf8' });
    assert.match(card, /^follower_count +783,427$/m);
  });

  /** What a runtime does with `read_only` and its volumes, for one process; then the lines of a script. */
  const contained = (...lines: string[]) => {
    const enter = [
      `mount --bind ${root} ${root}`,
      `mount -o remount,ro,bind ${root}`,
      `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
      volume(),
      ...lines,
    ].join(' && ');
    const settings = Object.fromEntries(config().Env.map((line) => line.split(/=(.*)/s, 2)));
    return spawn('unshare', ['--mount', 'sh', '-c', enter], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...settings, PATH: process.env.PATH, EXTRACT_HOST: '127.0.0.1' },
    });
  };
  const volume = () => `mount -t tmpfs -o mode=700,uid=10001,gid=10001 tmpfs ${root}/data`;
  const extract = (words: string) =>
    `chroot --userspec=10001:10001 ${root} /usr/local/bin/node /usr/local/bin/extract ${words}`;

  test('serves from a root that is read-only, as a user that is not root', async () => {
    const port = await freePort();
    const child = contained(`exec ${extract(`serve --port ${port}`)}`);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    after(() => child.kill('SIGKILL'));
    const healthy = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
      return answer?.ok === true;
    };
    while (!(await healthy())) {
      assert.equal(child.exitCode, null, stderr);
      await setTimeout(50);
    }
    const demo = await fetch(`http://127.0.0.1:${port}/v1/shortvideo/profile?username=any&demo=true`);
    assert.equal(demo.status, 200);
    child.kill('SIGTERM');
  });

  test('keeps a backup, and restores it to a new volume', async () => {
    const child = contained(
      extract('accounts create --email you@example.com --verified --credits 70'),
      extract('backup /tmp/kept.tar.gz'),
      `umount ${root}/data`,
      volume(),
      extract('restore /tmp/kept.tar.gz --check'),
      extract('restore /tmp/kept.tar.gz'),
      extract('accounts list --json'),
    );
    const { out } = assertExit(await outputOf(child), 0);
    const { data } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
    assert.deepEqual(
      data.map(({ email }: { readonly email: string }) => email),
      ['you@example.com'],
    );
  });
});
