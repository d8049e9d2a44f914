import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { deploySamples } from '../../../../src/faces/cli/commands/deploy.js';
import { argv, assertExit, extract } from '../../../support/cli.js';

const folder = path.join(packageRoot(), 'deploy');

/** The samples; the chart is a folder, and a file of each release. */
const files = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name);

test('extract server deploy prints each sample of the folder unchanged', async () => {
  assert.deepEqual(Object.values(deploySamples).sort(), files.sort());
  for (const [what, file] of Object.entries(deploySamples)) {
    const { out } = assertExit(await extract(['deploy', what]), 0);
    assert.equal(out, readFileSync(path.join(folder, file), 'utf8'), what);
  }
  assert.equal((await extract(argv`deploy docker`)).status, 2);
  const { status, err } = await extract(['server', 'deploy']);
  assert.equal(status, 2);
  assert.match(err, /Missing argument <what>\. Choose from systemd, backup-service, .*, grafana\./);
});
