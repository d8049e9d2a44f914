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
    const rows = ['["h","b","n","1","s"]', '["h","b","n",-1,"s"]', '[1,"b","n",1,"s"]'];
    for (const text of ['', 'x', 'null', '{}', '[]', ...rows]) assert.equal(ownerFrom(text), null, text);
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

  const plain = { ...self, boot: '', namespace: '', start: '' };
  const skip = self.start === '';
  for (const [title, owner, expected, options = {}, asker = self] of [
    ['has ended if its process ID is unused', { pid: deadPid }, true, { skip }],
    ['has ended if its process ID belongs to another process', { start: '1' }, true, { skip }],
    ['has ended when the machine was started again since', { boot: 'an earlier one' }, true],
    ['is not judged from another machine', { host: 'elsewhere', boot: 'other', pid: deadPid }, false],
    ['is not judged from another container', { namespace: 'pid:[1]', pid: deadPid }, false],
    ['runs by its process ID where a system tells no start times', plain, false, {}, plain],
    ['has ended by it there', { ...plain, pid: deadPid }, true, {}, plain],
  ] as const)
    test(title, options, () => assert.equal(hasEnded({ ...self, ...owner }, asker), expected));

  test('its start time is the one the system tells', { skip: self.start === '' }, () => {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    assert.ok(stat.slice(stat.lastIndexOf(')')).split(' ').includes(self.start));
    assert.match(self.start, /^\d+$/);
  });
});
