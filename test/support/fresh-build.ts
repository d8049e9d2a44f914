import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';

const root = packageRoot();
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** `dist`, if it was built from the current sources: the build recorded a commit without changes. */
export function freshDist(): string | undefined {
  const dist = path.join(root, 'dist');
  const note = path.join(dist, 'COMMIT');
  if (!existsSync(note) || !existsSync(path.join(root, '.git'))) return undefined;
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return !isChanged && readFileSync(note, 'utf8').trim() === git('rev-parse', 'HEAD') ? dist : undefined;
}

/**
 * The folder of built code, in `dist` as it finds the native module from there. Otherwise a script builds the sources
 * into a folder that is removed after the tests.
 */
export function freshBuild(args: readonly string[]): string {
  const dist = freshDist();
  if (dist !== undefined) return dist;
  const folder = path.join(root, 'dist', `test-${process.pid}`);
  after(() => rmSync(folder, { recursive: true, force: true }));
  const built = spawnSync(process.execPath, [...args, folder], { cwd: root, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  return folder;
}
