import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { readProgramSettings } from '../../../src/config/program-config.js';
import { buildProgram } from '../../../src/faces/cli/program.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder();
const run = (...args: readonly string[]) =>
  outputOf(
    spawn(process.execPath, [path.join(packageRoot(), 'bin', 'extract.js'), ...args], {
      env: { ...process.env, EXTRACT_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

const stream = { isTTY: false, columns: undefined, write: async () => undefined };
const { commands } = await buildProgram(
  {
    endpoints,
    askSecret: async () => '',
    stdin: () => assert.fail('nothing is run'),
    stdout: stream,
    stderr: stream,
    settings: readProgramSettings({ NO_COLOR: '1' }),
    signal: new AbortController().signal,
    openExtractor: () => assert.fail('nothing is run'),
  },
  null,
);

// Other tests cover what commands do, in process; this one only starts each in the real program.
describe('every command, as a process', { concurrency: 2 }, () => {
  for (const name of commands.map((command) => command.name()).filter((word) => word !== 'help')) {
    test(name, async () => {
      const { status, out, err } = await run(name, '--help');
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, new RegExp(`^Usage: extract .*${name}`, 'm'));
    });
  }
});
