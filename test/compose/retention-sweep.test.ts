import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { dayMs, hourMs } from '../../lib/runtime/clock.js';
import { retentionSweep } from '../../src/compose/retention-sweep.js';
import { readRetention, retentionByName } from '../../src/config/retention-config.js';
import { FileMailer, mailFolder } from '../../src/service/accounts/mail/file-mailer.js';
import { usageArchiveFile } from '../../src/service/usage/archive-usage.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function opened(env: Record<string, string>) {
  const home = temporaryFolder();
  const clock = new FakeClock();
  const before: Record<string, number> = {};
  const errors: unknown[] = [];
  const sweep = retentionSweep({
    ...{ home, clock, retention: readRetention(env), onError: (cause) => errors.push(cause) },
    refusedCalls: { prune: async (time) => void Object.assign(before, { calls: time }) },
    schedules: { pruneChanges: async (time) => void Object.assign(before, { changes: time }) },
  });
  const folderOf = (file: string) => readdirSync(path.join(home, file)).sort();
  return { home, clock, before, errors, sweep, folderOf };
}

test('each kind of data is deleted after its own number of days', async () => {
  const { home, clock, before, errors, sweep, folderOf } = opened({
    ...{ EXTRACT_HISTORY_DAYS: '5', EXTRACT_REFUSED_CALL_DAYS: '4' },
    ...{ EXTRACT_MAIL_DAYS: '2', EXTRACT_USAGE_ARCHIVE_DAYS: '3' },
  });
  const start = clock.now();
  const mailer = new FileMailer(mailFolder(home), clock, () => undefined);
  await mailer.send({ to: 'ann@example.com', subject: 'Sign in', text: 'A link.' });
  writeFileSync(path.join(mailFolder(home), 'notes.txt'), 'not a mail');
  const archive = usageArchiveFile(home, '2025-12-01', start);
  mkdirSync(path.dirname(archive));
  writeFileSync(archive, '');
  writeFileSync(path.join(path.dirname(archive), 'mine.ndjson.gz'), '');
  await sweep.run();
  assert.deepEqual(before, { calls: start - 4 * dayMs, changes: start - 5 * dayMs });
  const after = async (ms: number) => {
    await clock.advance(ms);
    await sweep.run();
  };
  await after(2 * dayMs);
  assert.equal(folderOf('mails').length, 2);
  await after(hourMs);
  assert.deepEqual(folderOf('mails'), ['notes.txt']);
  assert.equal(folderOf('archive').length, 2);
  await after(dayMs);
  assert.deepEqual(folderOf('archive'), ['mine.ndjson.gz']);
  assert.deepEqual(errors, []);
  await sweep.stop();
});

test('without settings archives stay, and one fault keeps nothing else from going', async () => {
  const { home, clock, before, sweep, folderOf, errors } = opened({});
  const archive = usageArchiveFile(home, '2025-12-01', clock.now());
  mkdirSync(path.dirname(archive));
  writeFileSync(archive, '');
  writeFileSync(mailFolder(home), 'in the way');
  await clock.advance(1000 * dayMs);
  await sweep.run();
  assert.equal(folderOf('archive').length, 1);
  assert.equal(errors.length, 1);
  assert.equal(before.changes, clock.now() - 400 * dayMs);
  await sweep.stop();
});

test('the audit log has the days by the names of their settings', () => {
  const { EXTRACT_RESULT_DAYS, EXTRACT_USAGE_ARCHIVE_DAYS } = retentionByName(readRetention({}));
  assert.deepEqual([EXTRACT_RESULT_DAYS, EXTRACT_USAGE_ARCHIVE_DAYS], [7, null]);
});
