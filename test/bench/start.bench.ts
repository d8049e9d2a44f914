import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { compare, report } from './compare.js';

const root = packageRoot();
const home = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const command = path.join(root, 'bin', 'extract.js');
const env = { ...process.env, EXTRACT_HOME: home };
const node = (...args: string[]) => execFileSync(process.execPath, args, { env, stdio: 'ignore' });
const once = { rounds: 31, repeats: 1, warmUp: 3 };

execFileSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
const bare = () => node('-e', '0');

report(
  'start of `extract --version` against `node -e 0`',
  await compare(() => node(command, '--version'), bare, once),
  {
    atMost: 1.15,
  },
);
const demo = [command, 'shortvideo', 'profile', 'mira.kettle', '--demo', '--json'];
report('start of a demo call against `node -e 0`', await compare(() => node(...demo), bare, once), {
  atMost: 2.2,
});
rmSync(home, { recursive: true, force: true });
