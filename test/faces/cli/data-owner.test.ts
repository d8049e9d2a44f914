import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { refuseOtherOwner } from '../../../src/faces/cli/data-owner.js';
import { argv } from '../../support/argv.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const isRoot = process.getuid?.() === 0;
const other = 12_345;

describe('root on the directory of another user', {
  skip: isRoot ? false : 'only root can give files away',
}, () => {
  const ownedBy = (directory: number, ledger?: number) => {
    const home = path.join(temporaryFolder(), 'home of it');
    mkdirSync(home);
    if (ledger !== undefined) {
      writeFileSync(path.join(home, 'ledger.db'), '');
      chownSync(path.join(home, 'ledger.db'), ledger, ledger);
    }
    chownSync(home, directory, directory);
    return home;
  };

  test('is refused, with the command to run instead', () => {
    for (const home of [ownedBy(other), ownedBy(other, other), ownedBy(0, other)]) {
      assert.throws(
        () => refuseOtherOwner(home, argv`server accounts create --email ${'a b@example.com'}`),
        ({ message, hint }: Error & { hint: string }) => {
          assert.match(message, /belongs to another user \(12345\), and you are root/);
          assert.equal(
            hint,
            `Run: sudo -u '#12345' EXTRACT_HOME='${home}' extract server accounts create --email 'a b@example.com'`,
          );
          return true;
        },
      );
    }
  });

  test('is allowed if the data belongs to root, or does not exist', () => {
    for (const home of [ownedBy(0), ownedBy(other, 0), path.join(temporaryFolder(), 'none')])
      refuseOtherOwner(home, ['serve']);
  });

  test('is allowed for any other user', () => {
    refuseOtherOwner(ownedBy(other), ['serve'], 1000);
  });
});
