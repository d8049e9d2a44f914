// The container file: buildah builds it over a base of this machine's Node.js. It runs with a read-only root.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { freePort } from '../support/free-port.js';
import { outputOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const context = path.join(folder, 'context');
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
const buildah = (...args: string[]) =>
  execFileSync(
    'buildah',
    ['--root', path.join(folder, 'images'), '--runroot', path.join(folder, 'run'), ...args],
    {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  ).trim();

function whyNot(): string | false {
  if (spawnSync('buildah', ['--version']).error !== undefined) return 'buildah is not installed';
  return process.getuid?.() === 0 ? false : 'only root can enter the container without its runtime';
}

/** Copies a program of this machine and the libraries it is linked with into a root. */
function copyProgram(root: string, program: string, target: string): void {
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const file of libraries.filter((name) => name.startsWith('/'))) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    copyFileSync(realpathSync(file), path.join(root, file));
  }
  mkdirSync(path.join(root, path.dirname(target)), { recursive: true });
  copyFileSync(realpathSync(program), path.join(root, target));
}

/** Builds a base image from this machine's Node.js, npm, shell and certificates, so that no registry is needed. */
function makeBase(): void {
  const root = path.join(folder, 'base', 'root');
  copyProgram(root, process.execPath, '/usr/local/bin/node');
  for (const name of ['sh', 'rm', 'install', 'env']) {
    copyProgram(
      root,
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      `/bin/${name}`,
    );
  }
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  cpSync(path.dirname(path.dirname(npm)), path.join(root, 'usr/local/lib/npm'), { recursive: true });
  symlinkSync('../lib/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm'));
  mkdirSync(path.join(root, 'usr/bin'));
  symlinkSync('/bin/env', path.join(root, 'usr/bin/env'));
  for (const name of ['root', 'tmp', 'etc/ssl/certs']) mkdirSync(path.join(root, name), { recursive: true });
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  copyFileSync(certificates, path.join(root, certificates));
  const file = path.join(folder, 'base', 'Containerfile');
  writeFileSync(
    file,
    `FROM scratch\nCOPY root/ /\nENV PATH=/usr/local/bin:/bin HOME=/root NODE_EXTRA_CA_CERTS=${certificates}\n`,
  );
  buildah('build', '--network', 'host', '-q', '-t', 'localhost/base', '-f', file, path.dirname(file));
}

describe('the container file', { skip: whyNot() }, () => {
  let root: string;
  before(() => {
    makeBase();
    mkdirSync(context);
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', context], {
      cwd: packageRoot(),
      stdio: 'pipe',
    });
    const file = path.join(packageRoot(), 'deploy/Containerfile');
    const base = ['--build-arg', 'NODE=localhost/base', '--build-arg', 'BASE=localhost/base'];
    buildah(
      'build',
      '--network',
      'host',
      '--format',
      'docker',
      '-q',
      ...base,
      '-t',
      'extract',
      '-f',
      file,
      context,
    );
    root = buildah('mount', buildah('from', 'extract'));
  });
  // Before its folder goes.
  after(() => buildah('umount', '--all'));

  interface Image {
    readonly Docker: { readonly config: { readonly Env: readonly string[] } & Record<string, unknown> };
  }

  const config = () => (JSON.parse(buildah('inspect', '--type', 'image', 'extract')) as Image).Docker.config;

  test('names a user, a volume, a port and a check of health', () => {
    const { User, Volumes, ExposedPorts, Entrypoint, Cmd, Healthcheck } = config();
    assert.deepEqual(
      { User, Volumes, ExposedPorts, Entrypoint, Cmd },
      {
        User: '10001:10001',
        Volumes: { '/data': {} },
        ExposedPorts: { '8787/tcp': {} },
        Entrypoint: ['extract'],
        Cmd: ['serve'],
      },
    );
    assert.ok(Healthcheck);
  });

  // The base, Debian's slim one, has 75 MB; an image without Chromium is to have 250 at most.
  test('adds at most 170 MB to its base', () => {
    const [bytes = '0'] = execFileSync('du', ['-sb', path.join(root, 'usr/local')], {
      encoding: 'utf8',
    }).split('\t');
    const npm = execFileSync('du', ['-sb', path.join(root, 'usr/local/lib/npm')], { encoding: 'utf8' }).split(
      '\t',
    );
    assert.ok(Number(bytes) - Number(npm[0]) < 170e6, bytes);
  });

  test('gives the card of the first screen', () => {
    const words = ['tiktok', 'profile', 'mira.kettle', '--demo', '--format', 'table'];
    const node = ['/usr/local/bin/node', '/usr/local/bin/extract'];
    const env = { HOME: '/tmp', PATH: '/usr/local/bin' };
    const card = execFileSync('/usr/sbin/chroot', [root, ...node, ...words], { env, encoding: 'utf8' });
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
    return spawn('unshare', ['--mount', 'sh', '-c', enter], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(config().Env.map((line) => line.split(/=(.*)/s, 2))),
        PATH: process.env.PATH,
        EXTRACT_HOST: '127.0.0.1',
      },
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
    const { status, out, err } = await outputOf(
      contained(
        extract('accounts create --email you@example.com --verified --credits 70'),
        extract('backup /tmp/kept.tar.gz'),
        `umount ${root}/data`,
        volume(),
        extract('restore /tmp/kept.tar.gz --check'),
        extract('restore /tmp/kept.tar.gz'),
        extract('accounts list --json'),
      ),
    );
    assert.equal(status, 0, err);
    const { data } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
    assert.deepEqual(
      data.map(({ email }: { readonly email: string }) => email),
      ['you@example.com'],
    );
  });
});
