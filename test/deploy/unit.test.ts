import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const unit = path.join(folder, 'extract.service');
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
const skip = analyze('--version').error === undefined ? false : 'systemd-analyze is not installed';

/** What systemd finds wrong in units of ours. It reads those that they name, too, and says what is wrong in the machine's own. */
function faultsOf(...files: readonly string[]): readonly string[] {
  const { stderr } = analyze('verify', ...files);
  return stderr.split('\n').filter((line) => files.some((file) => line.includes(path.basename(file))));
}

describe('the unit of the service', { skip }, () => {
  before(() => {
    // The unit's program must exist; npm chose where to install it.
    const text = readFileSync(path.join(packageRoot(), 'deploy/extract.service'), 'utf8');
    writeFileSync(unit, text.replace('/usr/bin/extract', process.execPath));
  });

  test('is understood by systemd, every line of it', () => {
    assert.deepEqual(faultsOf(unit), []);
    const wrong = path.join(folder, 'wrong.service');
    writeFileSync(wrong, readFileSync(unit, 'utf8').replace('[Service]', '[Service]\nNonsense=1'));
    assert.match(faultsOf(wrong).join(), /wrong\.service:\d+: Unknown key 'Nonsense'/);
  });

  test('comes with a backup unit that systemd accepts, and a timer', () => {
    const names = ['extract-backup.service', 'extract-backup.timer'];
    for (const name of names) {
      const text = readFileSync(path.join(packageRoot(), 'deploy', name), 'utf8');
      writeFileSync(path.join(folder, name), text.replace('/usr/bin/extract', process.execPath));
    }
    assert.deepEqual(faultsOf(...names.map((name) => path.join(folder, name))), []);
  });

  test('leaves little open', () => {
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=20', unit);
    assert.equal(status, 0, stdout.split('\n').slice(-3).join('\n'));
  });
});
