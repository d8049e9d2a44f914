import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { tableStates } from '../../src/compose/database-tables.js';
import { at, chargeOf } from '../ledger/ledger-port.js';
import { startPgbouncer, withoutPgbouncer } from '../support/pgbouncer.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const skip = skipWithoutPostgres || withoutPgbouncer || false;

describe('a pooler before the database', { skip }, () => {
  const folder = temporaryFolder();
  const ends: (() => Promise<void>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  async function pooler(settings: Readonly<Record<string, string>>): Promise<string> {
    const { config, drop } = await makeTestDatabase();
    const started = await startPgbouncer(folder, config.url, settings);
    ends.push(drop, () => started.stop());
    return started.url;
  }
  const isRefused = (fault: unknown) => {
    assert.ok(fault instanceof ExtractError);
    assert.equal(fault.code, 'invalid_parameter');
    assert.match(fault.message, /pooler in transaction mode \(such as PgBouncer.*pool_mode=session/);
    return true;
  };

  for (const settings of [
    { pool_mode: 'transaction' },
    { pool_mode: 'transaction', ignore_startup_parameters: 'statement_timeout,lock_timeout' },
    { pool_mode: 'transaction', default_pool_size: '1' },
    { pool_mode: 'transaction', server_round_robin: '1' },
  ]) {
    test(`is refused by name before anything is made: ${JSON.stringify(settings)}`, async () => {
      const url = await pooler(settings);
      await assert.rejects(migrateDatabase(url, [postgresLedgerSchema], systemClock), isRefused);
      await assert.rejects(tableStates({ url, connections: 4 }, systemClock), isRefused);
    });
  }

  test('in session mode is a way like any other', async () => {
    const url = await pooler({ pool_mode: 'session' });
    await migrateDatabase(url, [postgresLedgerSchema], systemClock);
    const postgres = await Postgres.open({ url, connections: 3 }, systemClock);
    const groups = await Postgres.open({ url, connections: 1 }, systemClock, undefined, groupSession);
    const ledger = new PostgresLedger(postgres, systemClock, groups);
    await ledger.grant({ id: 'g', account: 'local', credits: 1_000, kind: 'pack', at });
    const paid = Array.from({ length: 50 }, (_, n) => ledger.pay(chargeOf(`r${n}`)));
    await Promise.all(paid);
    assert.equal((await ledger.balance('local')).credits, 850);
    const row = await groups.read((queries) =>
      queries.first<{ readonly statement_timeout: string }>('SHOW statement_timeout'),
    );
    assert.equal(row?.statement_timeout, '15s');
    await ledger.close();
    await groups.close();
    await postgres.close();
  });
});
