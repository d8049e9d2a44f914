import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { backup } from '../../src/files/backup/backup.js';
import { restore } from '../../src/files/backup/restore.js';
import { jobsHarness, linesOf } from '../service/jobs/harness.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const source = path.join(packageRoot(), 'test/upgrade/first-release');
const folder = temporaryFolder();
/** The day after the directory was written; results expire after a week. */
const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 23) };
const account = 'acct_01M81QZAQ8S5MMGSSM48BN3X6R';
const job = 'job_01M81QZG27NV2MYEVR2BADR246';
/** Of an account that exists in this directory alone. */
const secret = 'xt_live_EVRdvxUMlDVYR680k0tYOOpPItEU8a0gon0vwiJU';

let count = 0;

/** The data directory as the first release left it. */
async function firstHome(): Promise<string> {
  const home = path.join(folder, `home-${++count}`);
  cpSync(source, home, { recursive: true });
  const db = await openSqliteFile(path.join(home, 'ledger.db'));
  db.exec(await readFile(path.join(home, 'ledger.sql'), 'utf8'));
  db.close();
  await rm(path.join(home, 'ledger.sql'));
  await rm(path.join(home, 'README.md'));
  return home;
}

const versionOf = async (home: string) => {
  const db = await openSqliteFile(path.join(home, 'ledger.db'));
  const version = db.pragma('user_version', { simple: true });
  db.close();
  return version;
};

describe('a data directory of the first release', () => {
  test('opens: account, key, balance, calls and job with its results are there, and the books balance', async (t) => {
    const running = await jobsHarness(t, { home: await firstHome(), clock });
    const { opened, jobs, ledger } = running;
    await opened.check();
    const owner = await opened.accounts.authenticate(secret);
    const { email, verified, key, expires_at } = owner;
    assert.deepEqual([owner.account, email, verified], [account, 'ann@example.com', true]);
    assert.deepEqual([key.name, expires_at], ['laptop', null]);
    assert.deepEqual(await ledger.balance(account), { account, credits: 50_494, bought: true });
    assert.equal((await ledger.balance('local')).credits, 49_997);
    const { rows } = await ledger.usage(account, { limit: 10 });
    assert.deepEqual(
      rows.map((row) => [row.status, row.credits_charged, row.credits_refunded, row.job_id]).sort(),
      [
        ['failed', 0, 3, job],
        ['failed', 0, 3, null],
        ['ok', 3, 0, job],
        ['ok', 3, 0, null],
      ].sort(),
    );
    const found = await jobs.store.find(account, job);
    assert.deepEqual([found.status, found.total, found.completed, found.failed], ['done', 2, 1, 1]);
    const customer = { account, secret, key: { id: owner.key.id, name: owner.key.name } };
    const lines = await linesOf(running, customer, job);
    const answers = lines.map(({ input, data, error }) => [input, data !== undefined, error?.code]);
    assert.deepEqual(answers, [
      [{ username: 'mira.kettle' }, true, undefined],
      [{ username: 'nobody.at.all' }, false, 'platform_unavailable'],
    ]);
    assert.deepEqual(imbalances(opened.database.db), []);
  });

  test('is backed up before this version changes it, and can be restored from the backup', async (t) => {
    const home = await firstHome();
    const before = await versionOf(home);
    const file = path.join(folder, 'before-upgrade.tar.gz');
    await backup(home, file, clock);
    assert.equal(await versionOf(home), before);

    const upgraded = await jobsHarness(t, { home, clock, start: false });
    await upgraded.opened.check();
    await upgraded.close();
    assert.notEqual(await versionOf(home), before);

    const back = path.join(folder, 'rolled-back');
    await restore(file, back, { check: false });
    assert.equal(await versionOf(back), before);
    const again = await jobsHarness(t, { home: back, clock, start: false });
    assert.equal((await again.ledger.balance(account)).credits, 50_494);
  });
});
