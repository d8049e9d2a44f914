import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { backendsWhere, freeze } from '../support/frozen-backend.js';
import { openTestDatabase } from '../support/postgres.js';
import { at, chargeOf } from './ledger-port.js';

/** A statement times out after this long without an answer, which is longer than a busy disk takes for one. */
export const timeouts = { ...defaultTimeouts, answer: 3_000 };

interface Node {
  readonly ledger: PostgresLedger;
  readonly clock: FakeClock;
  /** Freezes the server process behind the connection for charges; the returned function resumes it. */
  freeze(): Promise<() => void>;
  end(): Promise<void>;
}

/** Opens a ledger in a separate database whose connections can be frozen. Pushes cleanup functions onto `ends`. */
export async function unheardSetting(ends: (() => Promise<unknown>)[]) {
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
  return { postgres, one, until, untilMade };
}
