/**
 * Two builds of one commit, in two folders, are identical byte for byte, so anyone can verify a package by rebuilding
 * it. A checkout with uncommitted changes has no commit to compare with, and the check says so.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const root = packageRoot();
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const isChanged = run('git', ['status', '--porcelain', '--untracked-files=no'], root) !== '';

/** Clones the commit into a new folder, builds it with the same packages, and returns the package's digest. */
function digestOfBuild(name: string): string {
  const place = path.join(folder, name);
  run('git', ['clone', '--quiet', root, place], folder);
  symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
  run(process.execPath, ['scripts/build.mjs'], place);
  run('npm', ['pack', '--silent', '--ignore-scripts'], place);
  const packed = readdirSync(place).find((file) => file.endsWith('.tgz')) ?? '';
  return createHash('sha256')
    .update(readFileSync(path.join(place, packed)))
    .digest('hex');
}

test('two builds of one commit are the same bytes', { skip: isChanged && 'files are not committed' }, () => {
  assert.equal(digestOfBuild('one'), digestOfBuild('a-folder-with-another-name'));
});
