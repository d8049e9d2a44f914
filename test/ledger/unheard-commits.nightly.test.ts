import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { RetryingLedger } from '../../lib/ledger/retrying-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { makeCluster } from '../support/postgres-cluster.js';
import { at, chargeOf, refusal } from './ledger-port.js';
import { assertSound } from './postgres-harness.js';
import { timeouts, unheardSetting } from './unheard-setting.js';

const cached = { status: 'ok', cached: false } as const;

describe('a commit that its node does not hear of', { skip: skipWithoutPostgres }, () => {
  const ends: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('is refunded by others if its node has ended meanwhile', async () => {
    const { postgres, one, node, until, untilMade } = await unheardSetting(ends);
    const goOn = await one.freeze();
    await assert.rejects(one.ledger.pay(chargeOf('late')), refusal('internal_error'));
    await one.end();
    goOn();
    await untilMade('late');
    const other = await node();
    await other.ledger.giveBackAbandoned();
    await until('late', 'failed');
    await assertSound(postgres);
  });

  test('is refunded by others if its node was killed, but not if it was answered', async () => {
    const { postgres, one, node, until, untilMade, beSilent, statusOf } = await unheardSetting(ends);
    await one.ledger.charge(chargeOf('done'));
    await one.ledger.settle('done', cached);
    const goOn = await one.freeze();
    await assert.rejects(one.ledger.pay(chargeOf('late')), refusal('internal_error'));
    goOn();
    await untilMade('late');
    await beSilent(one);
    const other = await node();
    await other.ledger.giveBackAbandoned();
    await until('late', 'failed');
    for (const id of ['warm', 'done']) assert.equal(await statusOf(id), 'ok');
    assert.equal((await other.ledger.balance('local')).credits, 994);
    await assertSound(postgres);
  });

  test('waits for a standby for a minute and a half, and is refunded', async () => {
    const cluster = await makeCluster({ isDurable: true });
    ends.push(() => cluster.remove());
    await migrateDatabase(cluster.url, [postgresLedgerSchema], systemClock);
    const config = { url: cluster.url, connections: 3 };
    const postgres = await Postgres.open(config, systemClock, timeouts);
    // Whatever is no call has the time that it takes.
    const patient = await Postgres.open(config, systemClock);
    const clock = new FakeClock();
    const ledger = new RetryingLedger(new PostgresLedger(postgres, clock), clock);
    ends.push(async () => {
      await ledger.close();
      await postgres.close();
      await patient.close();
    });
    const run = (text: string) => patient.write((queries) => queries.run(text));
    await ledger.grant({ id: 'g', account: 'local', credits: 1_000, kind: 'pack', at });
    await ledger.pay(chargeOf('warm'));
    await run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await run('SELECT pg_reload_conf()');
    await pause(100);
    await assert.rejects(ledger.pay(chargeOf('late')), refusal('internal_error'));
    await assert.rejects(ledger.refund('late'), refusal('internal_error'));
    for (let seconds = 0; seconds < 90; seconds += 5) {
      await clock.advance(5_000);
      await pause(5);
    }
    await run('ALTER SYSTEM RESET synchronous_standby_names').catch(() => undefined);
    await run('SELECT pg_reload_conf()').catch(() => undefined);
    for (let tries = 0; (await ledger.balance('local').catch(() => null))?.credits !== 997; tries += 1) {
      assert.ok(tries < 100, 'it stays charged');
      await clock.advance(5_000);
      await pause(50);
    }
    await assertSound(patient);
  });
});
