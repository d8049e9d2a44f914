import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { noteCommit, UnheardCommits } from '../../lib/ledger/postgres/unheard-commits.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { backendsWhere, freeze } from '../support/frozen-backend.js';
import { openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { at, chargeOf, refusal } from './ledger-port.js';
import { assertSound } from './postgres-harness.js';

/** A statement times out after this long without an answer, which is longer than a busy disk takes for one. */
const timeouts = { ...defaultTimeouts, answer: 3_000 };

describe('a commit that its node does not hear of', { skip: skipWithoutPostgres }, () => {
  const ends: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function opened() {
    const database = await openTestDatabase([postgresLedgerSchema]);
    ends.push(() => database.close());
    return database;
  }

  test('is refunded, however late it arrives', async () => {
    const { config, postgres } = await opened();
    const clock = new FakeClock();
    const session = { ...groupSession, application_name: 'groups' };
    const groups = await Postgres.open({ ...config, connections: 1 }, systemClock, timeouts, session);
    const ledger = new PostgresLedger(postgres, clock, groups);
    ends.push(() => ledger.close().then(() => groups.close()));
    await ledger.grant({ id: 'g', account: 'local', credits: 1_000, kind: 'pack', at });
    await ledger.pay(chargeOf('warm'));
    const untilLateIs = async (found: (status: string | undefined) => boolean) => {
      const find = `SELECT status FROM usage WHERE id = 'late'`;
      const status = async () =>
        (await postgres.read((queries) => queries.first<{ readonly status: string }>(find)))?.status;
      for (let tries = 0; !found(await status()); tries += 1) {
        assert.ok(tries < 6_000, `it is ${await status()}`);
        await pause(10);
      }
    };
    const resume = await freeze(await backendsWhere(postgres, `application_name = 'groups'`));
    await assert.rejects(ledger.pay(chargeOf('late')), refusal('internal_error'));
    // Minutes pass, in which it is searched for in vain.
    for (let seconds = 0; seconds < 180; seconds += 5) {
      await clock.advance(5_000);
      await pause(5);
    }
    resume();
    await untilLateIs((status) => status !== undefined);
    await clock.advance(5_000);
    await untilLateIs((status) => status === 'failed');
    assert.equal((await ledger.balance('local')).credits, 997);
    await assertSound(postgres);
  });

  test('keeps its price if a search for late commits begins while it is made', async () => {
    const { postgres } = await opened();
    const clock = new FakeClock();
    let starting = Promise.resolve(0);
    const transaction: Postgres['transaction'] = async (work) => {
      const number = commits.begin();
      const note = { node: 'n', number, calls: ['early'] };
      starting = postgres.write((queries) => noteCommit(queries, note)).then(() => number);
      await starting;
      return postgres.transaction(work);
    };
    const commits = new UnheardCommits({ transaction } as unknown as Postgres, clock, 'n');
    commits.forget(commits.begin());
    await clock.advance(5_000);
    const number = await starting;
    await commits.close();
    assert.ok(await postgres.write((queries) => commits.hear(queries, number)));
  });
});
