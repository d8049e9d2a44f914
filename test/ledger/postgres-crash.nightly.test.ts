import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { RetryingLedger } from '../../lib/ledger/retrying-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { bundle, start } from '../support/child-process.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { type Cluster, makeCluster } from '../support/postgres-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { at, chargeOf } from './ledger-port.js';
import { assertSound } from './postgres-harness.js';

/** A ledger on commits that are on the disk before they are acknowledged. */
describe('a ledger in a database that waits for its disk', { skip: skipWithoutPostgres }, () => {
  const folder = temporaryFolder();
  let program: string;
  let cluster: Cluster;
  let postgres: Postgres;
  before(async () => {
    // The program resolves the driver from its own folder.
    symlinkSync(path.join(packageRoot(), 'node_modules'), path.join(folder, 'node_modules'));
    program = await bundle(folder, 'test/ledger/postgres-child-program.ts', ['pg']);
    cluster = await makeCluster({ isDurable: true });
    await migrateDatabase(cluster.url, [postgresLedgerSchema], systemClock);
    postgres = await Postgres.open({ url: cluster.url, connections: 5 }, systemClock);
  });
  after(async () => {
    await postgres.close();
    await cluster.remove();
  });

  /** The status of each call of an account. */
  async function statuses(account: string): Promise<ReadonlyMap<string, string>> {
    const find = 'SELECT id, status FROM usage WHERE account = $1';
    const rows = await postgres.read((queries) =>
      queries.rows<{ readonly id: string; readonly status: string }>(find, [account]),
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  const open = async (account: string) => {
    const ledger = new PostgresLedger(postgres, systemClock);
    await ledger.grant({ id: `g_${account}`, account, credits: 3_000_000, kind: 'pack', at });
    return ledger;
  };

  test('keeps what it has acknowledged when the database crashes, and nothing that it has not', async () => {
    const ledger = new RetryingLedger(await open('hit'), systemClock);
    const acknowledged = new Map<string, string>();
    const refused = new Set<string>();
    let [isOver, next] = [false, 0];
    const lane = async (isPaying: boolean) => {
      while (!isOver) {
        const id = `r${next++}`;
        const call = chargeOf(id, { account: 'hit' });
        try {
          if (isPaying) await ledger.pay(call);
          else {
            await ledger.charge(call);
            acknowledged.set(id, 'pending');
            await ledger.settle(id, { status: 'failed', code: 'platform_timeout' });
          }
          acknowledged.set(id, isPaying ? 'ok' : 'failed');
        } catch (fault) {
          assert.equal((fault as { code?: string }).code, 'internal_error');
          if (isPaying) refused.add(id);
          await pause(20);
        }
      }
    };
    const lanes = Array.from({ length: 16 }, (_, n) => lane(n % 4 !== 0));
    const until = async (count: number) => {
      while (acknowledged.size < count) await pause(5);
    };
    // A crash between two commits, or before the end of a transaction, leaves nothing in doubt.
    for (let crashes = 0; crashes < 2 || (refused.size === 0 && crashes < 20); crashes += 1) {
      await until(acknowledged.size + 400);
      await cluster.crash();
      await pause(50);
      await cluster.start();
      // It recovers without a restart.
      await until(acknowledged.size + 50);
    }
    isOver = true;
    await Promise.all(lanes);
    await ledger.close();
    assert.ok(refused.size > 0, 'a crash met calls');
    const statusOf = await statuses('hit');
    for (const [id, status] of acknowledged) {
      if (status === 'pending') assert.equal(statusOf.get(id), 'failed', `${id} is given back`);
      else assert.equal(statusOf.get(id), status, id);
    }
    for (const id of refused)
      assert.ok([undefined, 'failed'].includes(statusOf.get(id)), `${id} is not charged`);
    await assertSound(postgres);
  });

  test('keeps what processes had acknowledged that are killed, and gives back what they left open', async () => {
    const acknowledged: string[] = [];
    await (await open('killed')).close();
    for (const mortal of [120, 301]) {
      let lines = 0;
      const children = [1, 2].map(() =>
        start(program, [cluster.url, 'killed'], () => {
          lines += 1;
          if (lines === mortal) for (const { process } of children) process.kill('SIGKILL');
        }),
      );
      for (const child of children) acknowledged.push(...(await child.output));
    }
    // What a killed process had sent may still be at work.
    const isBusy = `SELECT FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'`;
    while ((await postgres.read((queries) => queries.rows(isBusy))).length > 0) await pause(5);
    const ledger = new PostgresLedger(postgres, systemClock);
    assert.equal(await ledger.giveBackAbandoned(), 0, 'for half a minute nobody knows that they are gone');
    await postgres.write((queries) => queries.run("UPDATE nodes SET seen_at = seen_at - interval '31 s'"));
    const refunds = await ledger.giveBackAbandoned();
    const statusOf = await statuses('killed');
    let charged = 0;
    for (const line of acknowledged) {
      const [word, id = ''] = line.split(' ');
      assert.equal(statusOf.get(id), word === 'ok' ? 'ok' : 'failed', line);
      if (word === 'charged') charged += 1;
    }
    assert.ok(refunds >= charged && charged > 0, `${refunds} given back, ${charged} left open`);
    const paid = [...statusOf.values()].filter((status) => status === 'ok').length;
    assert.equal((await ledger.balance('killed')).credits, 3_000_000 - 3 * paid);
    await assertSound(postgres);
    await ledger.close();
  });
});
