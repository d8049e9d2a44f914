import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { commandPrefix, systemdPrefix } from '../../src/config/surroundings.js';

const nowhere = () => false;
const read = (name: string) => readFileSync(path.join(packageRoot(), name), 'utf8');

describe('how a command reaches the data of this server', () => {
  test('is as the server’s user under systemd, in the container, or plain', () => {
    const unit = { INVOCATION_ID: 'a', STATE_DIRECTORY: '/var/lib/extract' };
    assert.equal(commandPrefix(unit, nowhere), systemdPrefix);
    const within = (mark: string, hostname: string) => commandPrefix({}, (file) => file === mark, hostname);
    assert.equal(within('/.dockerenv', '0123456789ab'), 'docker exec 0123456789ab extract');
    assert.equal(within('/run/.containerenv', '0123456789ab'), 'podman exec 0123456789ab extract');
    assert.equal(within('/.dockerenv', 'shop'), 'docker exec CONTAINER extract');
    assert.equal(commandPrefix({ INVOCATION_ID: 'a' }, nowhere), 'extract');
  });

  test('matches the samples and the guide', () => {
    const guide = read('docs/hosting.md').replace(/ \\\n +/g, ' ');
    for (const prefix of [systemdPrefix, 'docker compose exec extract extract'])
      assert.ok(guide.includes(`${prefix} server accounts`), prefix);
    assert.ok(read('deploy/extract.service').includes(`${systemdPrefix} server accounts list`));
  });
});
