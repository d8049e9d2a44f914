// Runs the guide's command that starts a server on a local PostgreSQL, unmodified.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fetch } from 'undici';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { freePort } from '../support/free-port.js';
import { fromSource } from '../support/from-source.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { makeCluster, programsFolder } from '../support/postgres-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

describe("the guide's command for a local PostgreSQL", { skip: skipWithoutPostgres }, () => {
  test('makes a database and serves from it', async () => {
    const [, line = ''] =
      /^(createdb .+ extract serve)$/m.exec(
        readFileSync(path.join(packageRoot(), 'docs/scale.md'), 'utf8'),
      ) ?? [];
    const cluster = await makeCluster();
    after(() => cluster.remove());
    assert.ok(line.includes('host=/var/run/postgresql'), line);
    const program = path.join(packageRoot(), 'test/support/cli-program.ts');
    const extract = `#!/bin/sh\nexec '${process.execPath}' ${fromSource.join(' ')} '${program}' "$@"\n`;
    writeFileSync(path.join(folder, 'extract'), extract, { mode: 0o755 });
    const port = await freePort();
    const child = spawn('sh', ['-c', line.replace('/var/run/postgresql', cluster.folder)], {
      cwd: packageRoot(),
      stdio: ['ignore', 'pipe', 'pipe'],
      // In one process group, so that the shell and the server end together.
      detached: true,
      env: {
        ...process.env,
        PATH: `${folder}:${programsFolder()}:${process.env.PATH}`,
        PGHOST: cluster.folder,
        PGUSER: 'postgres',
        EXTRACT_HOME: path.join(folder, 'home'),
        EXTRACT_PORT: String(port),
      },
    });
    // Both streams end with the server, which outlives the shell.
    const ended = once(child, 'close');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    after(() => child.exitCode ?? child.signalCode ?? process.kill(-(child.pid ?? 0), 'SIGKILL'));
    let status = 0;
    while (status === 0) {
      assert.equal(child.exitCode, null, output);
      status = await fetch(`http://127.0.0.1:${port}/healthz`).then(
        (answer) => answer.status,
        () => 0,
      );
      await setTimeout(50);
    }
    assert.equal(status, 200);
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended;
    assert.doesNotMatch(output, /"level":[56]0/);
  });
});
