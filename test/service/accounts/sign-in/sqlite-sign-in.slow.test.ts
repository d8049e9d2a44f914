import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openStore } from '../../../../src/compose/open-store.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { MemoryMailer } from '../../../support/memory-mailer.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const home = temporaryFolder();
const ask = { email: 'ann@example.com', address: '203.0.113.7', next: '/keys' };

async function sqliteSignIn() {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { ledger, createSignIn } = await openStore(home, clock, 500);
  after(() => ledger.close());
  const mailer = new MemoryMailer();
  const signIn = createSignIn({ mailer, clock, publicUrl: 'https://x.test', emailAllow: [] });
  return { signIn, mailer, home };
}

describe('signing in, in an SQLite file', () => {
  test('leaves no secret in the file, nor whom the mails went to', async () => {
    const { signIn, mailer, home } = await sqliteSignIn();
    const { browser } = await signIn.request(ask);
    const [token, code] = [mailer.token(), mailer.code()];
    const signed = await signIn.confirm(token, '');
    await signIn.request({ ...ask, email: 'bob@example.com' });
    for (const name of ['ledger.db', 'ledger.db-wal']) {
      const bytes = readFileSync(path.join(home, name));
      for (const secret of [token, browser, signed?.secret ?? '', mailer.token(), '203.0.113.7', code]) {
        assert.ok(!bytes.includes(secret.slice(0, 20)), `${name} ${secret}`);
      }
    }
  });
});
