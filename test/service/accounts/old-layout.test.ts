import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openSqliteFile } from '../../../lib/database/sqlite/sqlite-file.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { digestOf, newSecret } from '../../../src/service/accounts/api-key.js';
import { newToken, tokenDigest } from '../../../src/service/accounts/digests.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const account = 'acct_01OLD';
const job = 'job_01OLD';
const email = 'ann@example.com';

/** The tables of the first release: `holders`, with triggers and foreign keys of others on it. */
const oldTables = readFileSync(
  path.join(packageRoot(), 'test/upgrade/first-release/ledger.sql'),
  'utf8',
).replaceAll(/^INSERT INTO (?!parts|access).*\n/gm, '');

/** A data directory of the old layout, with an account that has one of everything. */
async function oldHome(home: string, now: number) {
  const db = await openSqliteFile(path.join(home, 'ledger.db'));
  db.exec(oldTables);
  const [secret, session] = [newSecret(), newToken()];
  for (const [sql, ...values] of [
    ['INSERT INTO holders VALUES (?, ?, ?, ?)', account, email, now, now],
    [
      'INSERT INTO api_keys (id, account, name, digest, created_at) VALUES (?, ?, ?, ?, ?)',
      ...['key_01OLD', account, 'laptop', digestOf(secret), now],
    ],
    [
      'INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)',
      ...[tokenDigest(session), 'ses_1', account, 'B', now, now],
    ],
    [
      'INSERT INTO sign_in_links VALUES (?, ?, ?, ?, ?)',
      ...[tokenDigest(newToken()), Buffer.alloc(32), email, '/', now],
    ],
    ['INSERT INTO alerts (account, threshold) VALUES (?, 10)', account],
    [
      `INSERT INTO purchases (id, account, credits, currency, method, status, created_at)
       VALUES ('pur_1', ?, 50000, 'EUR', 'hand', 'open', ?)`,
      ...[account, now],
    ],
    [`INSERT INTO webhook_secrets VALUES (?, 1, 'whsec_old', ?, NULL, 1)`, account, now],
    [
      `INSERT INTO jobs (id, account, endpoint, status, credits, total, created_at)
       VALUES (?, ?, 'maps/place', 'queued', 3, 0, ?)`,
      ...[job, account, now],
    ],
    [`INSERT INTO grants VALUES ('trial_1', ?, 500, 'trial', ?)`, account, now],
    ['INSERT INTO accounts VALUES (?, 500, 0, ?)', account, now],
  ] satisfies [string, ...unknown[]][]) {
    db.prepare(sql).run(...values);
  }
  db.close();
  return { secret, session };
}

describe('a data directory of the old layout', () => {
  const root = temporaryFolder();
  const now = Date.UTC(2026, 5, 1, 12);
  let homes = 0;

  async function migrated() {
    const home = path.join(root, String(++homes));
    const file = path.join(home, 'ledger.db');
    const old = await oldHome(home, now);
    const store = await openDirectory(home, new FakeClock(now), 500);
    after(() => store.ledger.close());
    const mailer = new MemoryMailer();
    const signIn = store.createSignIn({
      ...{ mailer, clock: new FakeClock(now), publicUrl: 'https://x.test', emailAllow: [] },
    });
    return { ...store, ...old, file, signIn };
  }

  test('keeps its accounts, keys, sessions, alerts, orders, secrets and jobs', async () => {
    const { accounts, alerts, purchases, jobStores, signIn, secret, session, file } = await migrated();
    assert.deepEqual((await accounts.find(email))?.credits, 500);
    assert.equal((await accounts.authenticate(secret)).account, account);
    assert.equal((await signIn.findSession(session))?.email, email);
    assert.equal(await alerts.readThreshold(account), 10);
    assert.equal((await purchases.find(account, 'pur_1'))?.status, 'open');
    assert.deepEqual(await jobStores.webhooks.secrets.list(account), ['whsec_old']);
    assert.equal((await jobStores.jobs.find(account, job)).status, 'queued');
    assertSound(file);
  });

  test('releases a deleted account, which then leaves no row', async () => {
    const { accounts, jobStores, secret, file } = await migrated();
    await accounts.delete(account);
    await assert.rejects(jobStores.jobs.find(account, job), refusal('job_not_found'));
    inspect(file, (db) => {
      const ofAccounts = ['users', 'api_keys', 'sessions', 'sign_in_links', 'alerts', 'webhook_secrets'];
      for (const table of ['jobs', 'job_inputs', ...ofAccounts]) {
        assert.equal(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table);
      }
      assert.equal(db.prepare('SELECT status FROM purchases').pluck().get(), 'cancelled');
    });
    const elsewhere = await openDirectory(path.dirname(file), new FakeClock(now), 500);
    after(() => elsewhere.ledger.close());
    await assert.rejects(elsewhere.accounts.authenticate(secret), refusal('invalid_api_key'));
    assertSound(file);
  });
});
