import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { commandPrefix, commandPrefixes } from '../../src/config/surroundings.js';

const nowhere = () => false;
const read = (name: string) => readFileSync(path.join(packageRoot(), name), 'utf8');

describe('how a command reaches the data of this server', () => {
  test('is as the server’s user under systemd, in the container, or plain', () => {
    const unit = { INVOCATION_ID: 'a', STATE_DIRECTORY: '/var/lib/extract' };
    assert.equal(commandPrefix(unit, nowhere), commandPrefixes.systemd);
    assert.equal(
      commandPrefix({}, (file) => file === '/.dockerenv'),
      commandPrefixes.compose,
    );
    assert.equal(commandPrefix({ INVOCATION_ID: 'a' }, nowhere), 'extract');
  });

  test('matches the samples and the guide', () => {
    const guide = read('docs/hosting.md').replace(/ \\\n +/g, ' ');
    for (const prefix of Object.values(commandPrefixes))
      assert.ok(guide.includes(`${prefix} server accounts`), prefix);
    assert.ok(read('deploy/extract.service').includes(`${commandPrefixes.systemd} server accounts list`));
  });
});
