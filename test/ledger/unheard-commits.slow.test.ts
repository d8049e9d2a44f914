import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { noteCommit, UnheardCommits } from '../../lib/ledger/postgres/unheard-commits.js';
import { RetryingLedger } from '../../lib/ledger/retrying-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { backendsWhere, freeze } from '../support/frozen-backend.js';
import { openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { makeCluster } from '../support/postgres-cluster.js';
import { at, chargeOf, refusal } from './ledger-port.js';
import { assertSound } from './postgres-harness.js';

/** A statement that is not answered for so long is given up: longer than a busy disk takes for one. */
const timeouts = { ...defaultTimeouts, answer: 3_000 };
const silence = "UPDATE nodes SET seen_at = seen_at - interval '31 s' WHERE id = $1";
const cached = { status: 'ok', cached: false } as const;

interface Node {
  readonly ledger: PostgresLedger;
  readonly clock: FakeClock;
  /** Stops what serves the connection of its charges; the returned function lets it go on. */
  freeze(): Promise<() => void>;
  end(): Promise<void>;
}

describe('a commit that its node does not hear of', { skip: skipWithoutPostgres }, () => {
  const ends: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function setting() {
    const database = await openTestDatabase([postgresLedgerSchema]);
    ends.push(() => database.close());
    const { postgres } = database;
    let names = 0;
    const node = async (): Promise<Node> => {
      const clock = new FakeClock();
      names += 1;
      const mark = `groups ${names}`;
      const groups = await Postgres.open({ ...database.config, connections: 1 }, systemClock, timeouts, {
        ...groupSession,
        application_name: mark,
      });
      const ledger = new PostgresLedger(postgres, clock, groups);
      let ended: Promise<void> | undefined;
      const end = () => {
        ended ??= ledger.close().then(() => groups.close());
        return ended;
      };
      ends.push(end);
      return {
        ...{ ledger, clock, end },
        freeze: async () => freeze(await backendsWhere(postgres, `application_name = '${mark}'`)),
      };
    };
    const one = await node();
    await one.ledger.grant({ id: 'g', account: 'local', credits: 1_000, kind: 'pack', at });
    await one.ledger.pay(chargeOf('warm'));
    const statusOf = async (id: string) =>
      (
        await postgres.read((queries) =>
          queries.first<{ readonly status: string }>('SELECT status FROM usage WHERE id = $1', [id]),
        )
      )?.status;
    const until = async (id: string, status: string) => {
      for (let tries = 0; (await statusOf(id)) !== status; tries += 1) {
        assert.ok(tries < 6_000, `${id} is ${await statusOf(id)} and not ${status}`);
        await pause(10);
      }
    };
    /** A statement that stood still has been carried out: given back it may be in the same moment. */
    const untilMade = async (id: string) => {
      for (let tries = 0; (await statusOf(id)) === undefined; tries += 1) {
        assert.ok(tries < 6_000, `${id} is not there`);
        await pause(10);
      }
    };
    const beSilent = ({ ledger }: Node) => postgres.write((queries) => queries.run(silence, [ledger.owner]));
    return { postgres, node, one, statusOf, until, untilMade, beSilent };
  }

  test('is given back, however late it comes', async () => {
    const { postgres, one, until, untilMade } = await setting();
    const goOn = await one.freeze();
    await assert.rejects(one.ledger.pay(chargeOf('late')), refusal('internal_error'));
    // Minutes pass, in which it is looked for in vain.
    for (let seconds = 0; seconds < 180; seconds += 5) {
      await one.clock.advance(5_000);
      await pause(5);
    }
    goOn();
    await untilMade('late');
    await one.clock.advance(5_000);
    await until('late', 'failed');
    assert.equal((await one.ledger.balance('local')).credits, 997);
    await assertSound(postgres);
  });

  test('is given back by others, where its node has ended meanwhile', async () => {
    const { postgres, one, node, until, untilMade } = await setting();
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

  test('is given back by others, where its node was killed, and nothing that was answered', async () => {
    const { postgres, one, node, until, untilMade, beSilent, statusOf } = await setting();
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

  test('is left alone while it is made, though a look for what came late begins before it', async () => {
    const { postgres } = await setting();
    const clock = new FakeClock();
    let begun = Promise.resolve(0);
    const transaction: Postgres['transaction'] = async (work) => {
      const number = commits.begin();
      const note = { node: 'n', number, calls: ['early'] };
      begun = postgres.write((queries) => noteCommit(queries, note)).then(() => number);
      await begun;
      return postgres.transaction(work);
    };
    const commits = new UnheardCommits({ transaction } as unknown as Postgres, clock, 'n');
    commits.forget(commits.begin());
    await clock.advance(5_000);
    const number = await begun;
    await commits.close();
    assert.ok(await postgres.write((queries) => commits.hear(queries, number)));
  });

  test('waits for a standby for a minute and a half, and is given back', async () => {
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

  test('was given back while its node stood still: the node says so, and charges nothing', async () => {
    const { postgres, one, node, beSilent, statusOf } = await setting();
    await one.ledger.charge(chargeOf('open'));
    await beSilent(one);
    const other = await node();
    assert.equal(await other.ledger.giveBackAbandoned(), 1);
    await assert.rejects(one.ledger.settle('open', cached), /given back/);
    assert.equal(await statusOf('open'), 'failed');
    assert.equal((await other.ledger.balance('local')).credits, 997);
    await assertSound(postgres);
  });
});
