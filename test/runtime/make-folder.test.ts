import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { StorageError } from '../../lib/errors/storage-error.js';
import { makeFolder } from '../../lib/runtime/make-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

test('a folder is created with its parents, for its owner only, and left unchanged if it exists', () => {
  const deep = path.join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  assert.equal(statSync(deep).mode & 0o777, 0o700);
});

test('a file in its place or above it is an error of the system', () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), { code: 'EEXIST' });
  assert.throws(() => makeFolder(path.join(file, 'a', 'b')), { code: 'ENOTDIR' });
});

// Node's own never comes back from there.
test('a folder that the system does not allow is an error that names it', {
  skip: process.platform !== 'linux',
}, () => {
  for (const forbidden of ['/proc/x', '/proc/x/y/z']) {
    assert.throws(
      () => makeFolder(forbidden),
      (error) =>
        error instanceof StorageError &&
        error.message.includes('/proc/x') &&
        /EXTRACT_HOME/.test(error.message),
    );
  }
});
