/**
 * The node of n8n as its package says: installed by its lock into a folder of its own, built with the types of n8n,
 * and held to every rule of the linter of n8n's nodes. All of that is too much for this project's own tree.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const npm = (...args: string[]) => run('npm', args, { cwd: folder, timeout: 300_000 });

describe('the package of the n8n node', () => {
  before(async () => {
    cpSync(path.join(packageRoot(), 'clients/n8n'), folder, { recursive: true });
    // The linter's own script asks for another package manager, and no package needs a script of its own here.
    await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
  });

  test('is built, strictly, with what it names for n8n', async () => {
    await npm('run', 'build');
    const { n8n } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const named = [...n8n.nodes, ...n8n.credentials, 'dist/nodes/Extract/extract.svg'] as string[];
    assert.deepEqual(
      named.filter((name) => !existsSync(path.join(folder, name))),
      [],
    );
  });

  test('passes the linter of n8n’s nodes, which finds what is wrong', async () => {
    await npm('run', 'lint');
    const file = path.join(folder, 'nodes/Extract/properties/maps.ts');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace("displayName: 'Operation'", "displayName: 'the operation'"),
    );
    await assert.rejects(npm('run', 'lint'), (error: { readonly stdout?: string }) =>
      /node-param-display-name-miscased/.test(error.stdout ?? ''),
    );
  });
});
