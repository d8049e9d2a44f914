import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { hasEnded, ownerFrom, ownerText, thisProcess } from '../../lib/runtime/process-owner.js';

const self = thisProcess();
/** A process that ran and was waited for. */
const deadPid = spawnSync(process.execPath, ['--version']).pid;

describe('the owner of a pending call', () => {
  test('is kept as text and read back', () => {
    assert.deepEqual(ownerFrom(ownerText(self)), self);
  });

  test('is unknown if the text is not one of ours', () => {
    for (const text of [
      '',
      'x',
      'null',
      '{}',
      '[]',
      '["h","b","n","1","s"]',
      '["h","b","n",-1,"s"]',
      '[1,"b","n",1,"s"]',
    ]) {
      assert.equal(ownerFrom(text), null, text);
    }
  });

  test('runs while it runs', async () => {
    assert.equal(hasEnded(self, self), false);
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    const owner = { ...self, pid: child.pid ?? 0, start: '' };
    assert.equal(hasEnded(owner, self), false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(hasEnded(owner, self), true);
  });

  test('has ended if its process ID is unused or belongs to another process', {
    skip: self.start === '',
  }, () => {
    assert.equal(hasEnded({ ...self, pid: deadPid }, self), true);
    assert.equal(hasEnded({ ...self, start: '1' }, self), true);
  });

  test('has ended when the machine was started again since', () => {
    assert.equal(hasEnded({ ...self, boot: 'an earlier one' }, self), true);
  });

  test('is not judged from another machine or another container', () => {
    assert.equal(hasEnded({ ...self, host: 'elsewhere', boot: 'other', pid: deadPid }, self), false);
    assert.equal(hasEnded({ ...self, namespace: 'pid:[1]', pid: deadPid }, self), false);
  });

  test('of a system that tells no start times is judged by its process id', () => {
    const plain = { ...self, boot: '', namespace: '', start: '' };
    assert.equal(hasEnded(plain, plain), false);
    assert.equal(hasEnded({ ...plain, pid: deadPid }, plain), true);
  });

  test('its start time is the one the system tells', { skip: self.start === '' }, () => {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    assert.ok(stat.slice(stat.lastIndexOf(')')).split(' ').includes(self.start));
    assert.match(self.start, /^\d+$/);
  });
});
