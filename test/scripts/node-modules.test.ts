import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const script = pathToFileURL(path.join(packageRoot(), 'scripts', 'node-modules.mjs')).href;
const { nodeModules } = (await import(script)) as { nodeModules: () => Plugin };

const source = `
  import { execFile } from 'node:child_process';
  import { createHash, Hash, webcrypto } from 'node:crypto';
  import { promisify } from 'node:util';
  export const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-p', '"hi"']);
  export const isHash = createHash('sha256') instanceof Hash;
  export const named = [execFile.name, createHash.length, typeof webcrypto.subtle];
`;

test('functions of Node that are taken late keep what hangs on them', async () => {
  const folder = temporaryFolder();
  const input = path.join(folder, 'in.mjs');
  writeFileSync(input, source);
  const build = await rolldown({ input, platform: 'node', plugins: [nodeModules()] });
  await build.write({ file: path.join(folder, 'out.mjs'), format: 'esm' });
  await build.close();
  const { stdout, stderr, isHash, named } = await import(pathToFileURL(path.join(folder, 'out.mjs')).href);
  assert.deepEqual({ stdout, stderr, isHash }, { stdout: 'hi\n', stderr: '', isHash: true });
  assert.deepEqual(named, ['execFile', 2, 'object']);
});
