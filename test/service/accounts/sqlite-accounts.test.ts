import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openStore } from '../../../src/compose/open-store.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const closes: (() => Promise<void>)[] = [];
after(() => Promise.all(closes.map((close) => close())));
let homes = 0;
const ann = { email: 'ann@example.com', verified: true, credits: 0 };

async function opened(options: { home?: string; trial?: number; clock?: FakeClock } = {}) {
  const home = options.home ?? path.join(folder, String(++homes));
  const store = await openStore(home, options.clock ?? new FakeClock(), options.trial ?? 500);
  closes.push(() => store.ledger.close());
  return { ...store, home };
}

describe('accounts in SQLite', () => {
  test('get no trial credits if the setting is 0', async () => {
    const { accounts } = await opened({ trial: 0 });
    const account = await accounts.create(ann);
    assert.deepEqual([account.verified, account.credits], [true, 0]);
  });

  test('with a first pack leave the ledger sound', async () => {
    const { accounts, home } = await opened();
    await accounts.create({ ...ann, credits: 50_000 });
    assertSound(path.join(home, 'ledger.db'));
  });

  test('and keys are there again after a restart', async () => {
    const { accounts, ledger, home } = await opened();
    const account = await accounts.create(ann);
    const { secret } = await accounts.createKey({ account: account.id, name: 'laptop', platforms: ['maps'] });
    await ledger.close();
    const again = (await opened({ home })).accounts;
    assert.deepEqual(await again.list(), [account]);
    assert.deepEqual((await again.authenticate(secret)).platforms, ['maps']);
  });

  test('show the secret of a key once, and keep its hash', async () => {
    const { accounts, home } = await opened();
    const { id } = await accounts.create(ann);
    const { key, secret } = await accounts.createKey({ account: id, name: 'laptop', platforms: null });
    assert.ok(!JSON.stringify([key, await accounts.listKeys()]).includes(secret.slice(8, 30)));
    for (const name of ['ledger.db', 'ledger.db-wal']) {
      assert.ok(!readFileSync(path.join(home, name)).includes(secret.slice(8, 30)), name);
    }
    const digest = inspect(path.join(home, 'ledger.db'), (db) =>
      db.prepare('SELECT digest FROM api_keys').pluck().get(),
    );
    assert.equal((digest as Buffer).length, 32);
  });
});
