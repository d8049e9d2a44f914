import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { postgresLedgerSchema } from '../../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock as clock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { accountMoney } from '../../../src/compose/account-money.js';
import { keyedDigest } from '../../../src/service/accounts/digests.js';
import { hostingSchemas, openHostingStore } from '../../../src/service/accounts/open-accounts.js';
import { bundle, start } from '../../support/child-process.js';
import { openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a revoked key', { skip: skipWithoutPostgres }, () => {
  const folder = temporaryFolder();

  test('is refused by every process of a database within a second', async (t) => {
    symlinkSync(path.join(packageRoot(), 'node_modules'), path.join(folder, 'node_modules'));
    const program = await bundle(folder, 'test/service/accounts/revoked-key-program.ts', ['pg']);
    const { postgres, config, close } = await openTestDatabase([
      postgresLedgerSchema,
      ...hostingSchemas.map(postgresSchema),
    ]);
    const ledger = new PostgresLedger(postgres, clock);
    t.after(async () => {
      await ledger.close();
      await close();
    });
    const { accounts } = openHostingStore({
      ...{
        database: postgres,
        clock,
        money: accountMoney(ledger.owner),
        digest: keyedDigest(Buffer.alloc(32, 7)),
      },
      ...{ trialCredits: 0, rows: [] },
    });
    const { id: account } = await accounts.create({ email: 'a@example.com', verified: true, credits: 10 });
    const { key, secret } = await accounts.createKey({ account, name: 'a key', platforms: null });

    const children = [1, 2, 3].map(() => start(program, [config.url, secret]));
    await Promise.all(children.map((child) => child.saying('ready')));
    await accounts.revokeKey(key.id, account);
    const revoked = Date.now();
    await assert.rejects(accounts.authenticate(secret), { code: 'revoked_api_key' });
    for (const child of children) {
      const { passed, code } = JSON.parse((await child.output).at(-1) ?? '') as Record<string, unknown>;
      assert.equal(code, 'revoked_api_key');
      // A suspended machine starts no check meanwhile.
      assert.ok(Number(passed) - revoked <= 1_000, `${Number(passed) - revoked} ms`);
      t.diagnostic(`${Number(passed) - revoked} ms`);
    }
  });
});
