import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { openDirectory } from '../../src/compose/open-store.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('each change of the suppressed subjects is recorded without names', async () => {
  const store = await openDirectory(temporaryFolder(), new FakeClock(), 0);
  const subject = parseSubject('tiktok:@baker');
  for (let turn = 0; turn < 2; turn += 1) await store.suppressions.add(subject);
  for (let turn = 0; turn < 2; turn += 1) await store.suppressions.remove(subject);
  const acts = await store.audit.list({ limit: 10 });
  assert.deepEqual(
    acts.map(({ act, details }) => [act, details]),
    ['subject.allow', 'subject.suppress'].map((act) => [act, { platform: 'shortvideo' }]),
  );
  assert.equal(acts[0]?.subject, acts[1]?.subject, 'of one subject');
  assert.doesNotMatch(JSON.stringify(acts), /baker/);
  await store.close();
});
