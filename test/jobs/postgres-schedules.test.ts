import { randomUUID } from 'node:crypto';
import { after, describe } from 'node:test';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { Postgres } from '../../lib/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { allSchemas } from '../../src/database-tables.js';
import { Engine } from '../../src/jobs/postgres/engine.js';
import { PostgresJobs } from '../../src/jobs/postgres/postgres-jobs.js';
import { ResultsDays } from '../../src/jobs/postgres/results-days.js';
import { SliceStore } from '../../src/jobs/postgres/slice-store.js';
import { PostgresSchedules } from '../../src/jobs/schedules/postgres/postgres-schedules.js';
import { attemptTasks } from '../../src/jobs/webhooks/postgres/engine-deliverer.js';
import { PostgresWebhooks } from '../../src/jobs/webhooks/postgres/postgres-webhooks.js';
import { FakeClock } from '../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { schedulesSuite } from './schedules-port.js';
import { webhooksSuite } from './webhooks/webhooks-port.js';

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

/** The stores of a database of the test's own. */
async function opened() {
  const { config, drop } = await makeTestDatabase(allSchemas());
  closes.push(drop);
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const postgres = await Postgres.open(config, systemClock);
  const ledger = new PostgresLedger(postgres, clock);
  const engine = new Engine({ postgres, clock: systemClock, onError: () => undefined });
  closes.push(async () => {
    await ledger.close();
    await engine.stop();
    await postgres.close();
  });
  const days = new ResultsDays(postgres);
  const store = new PostgresJobs({ postgres, clock, engine, days, owner: ledger.owner });
  const webhooks = new PostgresWebhooks(postgres, clock, attemptTasks(engine));
  const work = new SliceStore({
    ...{ postgres, clock, docsBase: 'https://docs.example' },
    beginDelivery: (queries, job) => webhooks.begin(queries, job),
  });
  const schedules = new PostgresSchedules(postgres, clock, (queries, job, schedule, now) =>
    store.makeScheduled(queries, job, schedule, now),
  );
  return {
    ...{ clock, store, webhooks, schedules, work },
    async account(credits: number) {
      const account = `acct_${randomUUID()}`;
      const at = new Date(clock.now()).toISOString();
      await ledger.grant({ id: `pack_${account}`, account, credits, kind: 'pack', at });
      return account;
    },
    credits: async (account: string) => (await ledger.balance(account)).credits,
    breakDriver: () => void postgres.close(),
  };
}

describe('schedules in PostgreSQL', { skip: skipWithoutPostgres }, () => schedulesSuite(opened));

describe('webhooks in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  webhooksSuite(async () => {
    const { store, work, ...under } = await opened();
    const account = await under.account(100);
    return {
      ...under,
      account,
      async job(finished, webhookUrl) {
        const { id } = await store.create(
          {
            ...{ account, key: undefined, endpoint: 'maps/place', credits: 3, inputs: ['{}'] },
            ...{ webhookUrl, idempotency: undefined },
          },
          () => '',
        );
        const ending = { status: 'ok', cached: false, credits: 3 } as const;
        if (finished) await work.commit(id, [{ index: 0, line: Buffer.from('{}\n'), ending }]);
        return id;
      },
    };
  });
});
