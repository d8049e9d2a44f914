import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runExtract } from '../../support/start-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { programFor } from '../../support/whole-program.js';

const home = temporaryFolder();
const { commands } = await programFor(null);

// Other tests cover what commands do, in process; this one only starts each in the real program.
describe('every command, as a process', { concurrency: 2 }, () => {
  for (const name of commands.map((command) => command.name()).filter((word) => word !== 'help'))
    test(name, async () => {
      const { status, out, err } = await runExtract([name, '--help'], { EXTRACT_HOME: home });
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, new RegExp(`^Usage: extract .*${name}`, 'm'));
    });
});
