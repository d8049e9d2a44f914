import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { waitForDescriptors } from '../../../src/service/jobs/results/file-results.js';
import { FakeClock } from '../../support/fake-clock.js';

/** Opens after so many refusals. */
function refusing(count: number, refusal: () => Error) {
  const made = { attempts: 0 };
  const open = async () => {
    made.attempts += 1;
    if (made.attempts <= count) throw refusal();
    return 'open';
  };
  return { made, open };
}

const shortage = () => Object.assign(new Error('EMFILE'), { code: 'EMFILE' });

test('results that cannot be opened for want of descriptors are opened when there are some', async () => {
  for (const refusal of [shortage, () => new StorageError('exhausted', 'Too many files.')]) {
    const clock = new FakeClock();
    const { open, made } = refusing(5, refusal);
    assert.equal(await clock.passing(waitForDescriptors(open, clock)), 'open');
    assert.equal(made.attempts, 6);
  }
});

test('a lasting shortage is told after four seconds, and any other fault at once', async () => {
  const clock = new FakeClock();
  const lasting = refusing(1_000, shortage);
  await clock.passing(assert.rejects(waitForDescriptors(lasting.open, clock), /EMFILE/));
  assert.equal(lasting.made.attempts, 40);
  const other = refusing(1_000, () => Object.assign(new Error('EIO'), { code: 'EIO' }));
  await assert.rejects(waitForDescriptors(other.open, clock), /EIO/);
  assert.equal(other.made.attempts, 1);
});
