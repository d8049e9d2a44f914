/**
 * The package as Bun and Deno install and run it, in the versions that docs/library.md names: the library, the command
 * and a server, each with a real call over TLS. The runtimes come from the package registry.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { argv } from '../support/argv.js';
import { packPackage } from '../support/pack-package.js';
import { platformHost } from '../support/platform-host.js';
import { addressOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const root = packageRoot();
const folder = temporaryFolder();
const guide = readFileSync(path.join(root, 'docs/library.md'), 'utf8');
const command = path.join(folder, 'node_modules/public-extract/bin/extract.js');

/** The runtime's program and the arguments that go before a file. */
const runtimes = [
  ['Bun', ['bun', '--bun']],
  ['Deno', ['deno', 'run', '--allow-all']],
] as const;

const versionOf = (name: string) =>
  new RegExp(`${name} (\\d+\\.\\d+\\.\\d+)`).exec(guide)?.[1] ?? assert.fail(`The guide has no ${name}`);

const program = `
  import { batch, getShortvideoProfile } from 'public-extract';
  const inputs = [{ username: 'mira.kettle', demo: true }, { username: 'no such name' }, { username: 'mira.kettle' }];
  for await (const { data, error } of batch(getShortvideoProfile, inputs)) console.log(data?.username ?? error.code);
  await getShortvideoProfile({}).catch((error) => console.log(error.code));`;

describe('the package without Node.js', () => {
  before(async () => {
    const packed = await packPackage(folder);
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const packages = runtimes.map(([name]) => `${name.toLowerCase()}@${versionOf(name)}`);
    await run('npm', argv`install ${packed} ${packages} --no-audit --no-fund`, { cwd: folder });
    writeFileSync(path.join(folder, 'program.js'), program);
  });

  for (const [name, [file, ...args]] of runtimes) {
    const start = path.join(folder, 'node_modules/.bin', file);
    const home = path.join(folder, `home-${file}`);
    const env = { ...process.env, EXTRACT_HOME: home, EXTRACT_BROWSER: 'never', EXTRACT_PACE_MS: '0' };

    test(`${name} runs the library`, async (t) => {
      const host = await platformHost(t, folder, 'shortvideo/profile');
      const online = { cwd: folder, env: { ...env, ...host.env } };
      const { stdout } = await run(start, [...args, 'program.js'], online);
      assert.equal(stdout, 'mira.kettle\ninvalid_parameter\nmira.kettle\nmissing_parameter\n');
      assert.equal(host.requests(), 1);
    });

    const extract = (...words: string[]) => run(start, [...args, command, ...words], { cwd: folder, env });

    test(`${name} runs the command`, async () => {
      const { stdout } = await extract('shortvideo', 'profile', 'mira.kettle', '--json');
      // What the library fetched is in the cache of the home.
      assert.equal(JSON.parse(stdout).meta.cached, true);
      // Without a network, doctor exits with a nonzero status.
      const doctor = await extract('doctor', '--json').catch((error: { stdout: string }) => error);
      const failed = (JSON.parse(doctor.stdout).data as { message: string; status: string }[]).filter(
        ({ message, status }) => status === 'failed' && !message.startsWith('Cannot resolve www.'),
      );
      assert.deepEqual(failed, []);
      const { stdout: version } = await extract('--version', '--verbose');
      assert.match(version, new RegExp(`${name} ${versionOf(name)}`));
    });

    test(`${name} runs a server, which reads a large page in a thread`, async (t) => {
      const host = await platformHost(t, folder, 'shortvideo/profile', 300_000);
      await extract(...argv`accounts create --email ada@example.com --verified --credits 9`);
      const { stdout } = await extract(...argv`keys create --email ada@example.com --name a`);
      const [key] = /xt_live_\w+/.exec(stdout) ?? assert.fail(stdout);
      const server = spawn(start, [...args, command, 'serve', '--port', '0'], {
        ...{ cwd: folder, env: { ...env, ...host.env }, stdio: ['ignore', 'ignore', 'pipe'] },
      });
      try {
        const url = await addressOf(server);
        const real = await fetch(`${url}/v1/shortvideo/profile?username=mira.kettle&fresh=true`, {
          headers: { authorization: `Bearer ${key}` },
        });
        assert.equal(real.status, 200, await real.text());
        assert.equal((await fetch(`${url}/docs`)).status, 200);
      } finally {
        server.kill('SIGTERM');
      }
    });
  }
});
