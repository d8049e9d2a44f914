import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { replaceFile } from '../../../src/faces/cli/replace-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('rewriting a user’s file', () => {
  test('leaves nothing behind if it fails', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'settings.json');
    mkdirSync(path.join(file, 'full'), { recursive: true });
    await assert.rejects(replaceFile(file, '{}', false), { code: 'invalid_parameter' });
    assert.deepEqual(readdirSync(folder), ['settings.json']);
  });

  test('preserves a link', { skip: process.platform === 'win32' }, async () => {
    const folder = temporaryFolder();
    const [file, kept] = [path.join(folder, 'settings.json'), path.join(folder, 'shared.json')];
    writeFileSync(kept, 'before');
    symlinkSync('shared.json', file);
    const backup = await replaceFile(file, 'after', true);
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.equal(readFileSync(kept, 'utf8'), 'after');
    assert.equal(readFileSync(backup ?? '', 'utf8'), 'before');
  });
});
