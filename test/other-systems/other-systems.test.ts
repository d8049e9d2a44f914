/** What differs on Windows and macOS, by the rules that Linux can try: each takes the system as a parameter. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { lockFile } from '../../lib/runtime/file-lock.js';
import { type MovePorts, moveFile } from '../../lib/runtime/move-file.js';
import { staysInside } from '../../lib/web/page-file.js';
import { itemFileName } from '../../src/files/media/media-items.js';
import { quotedFor } from '../../src/output/shell-words.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

/** A system on which the first tries to move a file fail. */
function lockedMove(system: NodeJS.Platform, tries: number, code: string) {
  const waits: number[] = [];
  const ports: MovePorts = {
    system,
    async move() {
      if (waits.length < tries) throw Object.assign(new Error(code), { code });
    },
    async pause(ms) {
      waits.push(ms);
    },
  };
  return { waits, ports };
}

describe('a file that is moved', () => {
  test('is tried again on Windows while a scanner holds it, for less than two seconds', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      const { waits, ports } = lockedMove('win32', 3, code);
      await moveFile('a', 'b', ports);
      assert.equal(waits.length, 3);
    }
    const { waits, ports } = lockedMove('win32', Number.POSITIVE_INFINITY, 'EPERM');
    await assert.rejects(moveFile('a', 'b', ports), { code: 'EPERM' });
    assert.ok(waits.reduce((sum, ms) => sum + ms, 0) < 2_000);
  });

  test('fails immediately for another reason, and on other systems', async () => {
    for (const [system, code] of [
      ['win32', 'ENOENT'],
      ['linux', 'EPERM'],
      ['darwin', 'EACCES'],
    ] as const) {
      const { waits, ports } = lockedMove(system, 1, code);
      await assert.rejects(moveFile('a', 'b', ports), { code });
      assert.deepEqual(waits, []);
    }
  });
});

test('the file of a lock goes with its holder in the order of either system, and can be taken again', async () => {
  for (const system of ['linux', 'win32'] as const) {
    const file = path.join(folder, `${system}.lock`);
    for (let turn = 0; turn < 2; turn += 1) {
      const lock = await lockFile(file, { system });
      assert.ok(lock);
      assert.equal(await lockFile(file, { system }), null);
      lock.remove();
      assert.equal(existsSync(file), false);
    }
    writeFileSync(file, '');
    assert.ok(await lockFile(file, { system }), 'a file that was left means nothing');
  }
});

test('a name of a page file stays inside by the rules of either style of paths', () => {
  const cases: readonly (readonly [string, posix: boolean, win32: boolean])[] = [
    ['page-1.html', true, true],
    ['a/b.html', true, true],
    ['../x', false, false],
    ['a/../../x', false, false],
    ['/etc/passwd', false, false],
    ['..\\x', true, false],
    ['a\\..\\..\\x', true, false],
    ['C:\\x', true, false],
    ['C:x', true, false],
    ['page-1.html:stream', true, false],
    ['\\\\host\\share\\x', true, false],
    ['\\x', true, false],
    ['x\0y', false, false],
    ['..', false, false],
    ['.', false, false],
  ];
  for (const [name, posix, win32] of cases) {
    assert.deepEqual([staysInside(name, path.posix), staysInside(name, path.win32)], [posix, win32], name);
  }
});

test('files of items whose identifiers differ in case have names that differ without it', () => {
  const ids = ['CaBc', 'cabc', 'CABC', 'con', 'x_1', '7301'];
  assert.deepEqual(
    ids.map((id) => itemFileName(id, 'linux')),
    ids,
  );
  for (const system of ['darwin', 'win32'] as const) {
    const names = ids.map((id) => itemFileName(id, system).toLowerCase());
    assert.equal(new Set(names).size, ids.length, names.join(' '));
    assert.equal(itemFileName('7301', system), '7301');
  }
});

test('a command to type is quoted for the shell of the system', () => {
  const words = ['extract', 'batch', 'my names.txt', 'C:\\in\\x.txt', `it's "it"`, '$HOME', 'a&b', '100%'];
  assert.deepEqual(
    words.map((word) => quotedFor(word, 'win32')),
    ['extract', 'batch', '"my names.txt"', 'C:\\in\\x.txt', `"it's \\"it\\""`, '"$HOME"', '"a&b"', '"100%"'],
  );
  assert.deepEqual(
    words.map((word) => quotedFor(word, 'darwin')),
    ['extract', 'batch', "'my names.txt'", "'C:\\in\\x.txt'", `'it'\\''s "it"'`, "'$HOME'", "'a&b'", '100%'],
  );
});
