import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftLifetimeMs, maxDraftsPerAccount } from '../../../src/faces/dashboard/jobs/drafts.js';
import { MemoryDrafts } from '../../../src/faces/dashboard/jobs/memory-drafts.js';
import { FakeClock } from '../../support/fake-clock.js';

const draftOf = (account: string) => ({
  ...{ account, source: 'names.txt', first: ['{"username":"ann"}'], unreadable: 0 },
  ...{ request: null, soundRequest: null, key: null },
  checked: { problems: [] } as never,
});

test('a draft in memory is its account’s for an hour, and gone after it', async () => {
  const clock = new FakeClock();
  const drafts = new MemoryDrafts(clock);
  const { id } = await drafts.add(draftOf('ann'));
  assert.equal(await drafts.find('ben', id), undefined);
  await clock.advance(draftLifetimeMs - 1);
  assert.equal((await drafts.find('ann', id))?.id, id);
  await clock.advance(2);
  assert.equal(await drafts.find('ann', id), undefined);
});

test('an account has a few drafts in memory: a new one replaces its oldest, and other accounts keep theirs', async () => {
  const drafts = new MemoryDrafts(new FakeClock());
  const other = await drafts.add(draftOf('ben'));
  const ids: string[] = [];
  for (let count = 0; count < maxDraftsPerAccount + 2; count += 1) {
    ids.push((await drafts.add(draftOf('ann'))).id);
  }
  const found: string[] = [];
  for (const id of ids) if ((await drafts.find('ann', id)) !== undefined) found.push(id);
  assert.deepEqual(found, ids.slice(-maxDraftsPerAccount));
  assert.equal((await drafts.find('ben', other.id))?.id, other.id);
});
