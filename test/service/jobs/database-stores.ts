import { after } from 'node:test';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { PostgresLedger } from '../../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { Engine } from '../../../src/service/jobs/postgres/engine.js';
import { ResultsDays } from '../../../src/service/jobs/postgres/results-days.js';
import { sliceWork } from '../../../src/service/jobs/postgres/slice-work.js';
import { sliceSize } from '../../../src/service/jobs/postgres/slices.js';
import { SliceStore } from '../../../src/service/jobs/runner/slice-store.js';
import { ScheduleStore } from '../../../src/service/jobs/schedules/schedule-store.js';
import { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { WebhookStore } from '../../../src/service/jobs/webhooks/webhook-store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { makeTestDatabase } from '../../support/postgres.js';
import { fundedAccounts } from './job-store-port.js';

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

/** The stores of a database of the test's own, whose engine works on nothing. */
export async function openDatabaseStores(resultDays?: number) {
  const { config, drop } = await makeTestDatabase(allSchemas());
  closes.push(drop);
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const postgres = await Postgres.open(config, systemClock);
  const ledger = new PostgresLedger(postgres, clock);
  const engine = new Engine({ postgres, clock: systemClock });
  closes.push(async () => {
    await ledger.close();
    await engine.stop();
    await postgres.close();
  });
  const days = new ResultsDays(postgres);
  const store = new StoredJobs({
    database: postgres,
    clock,
    owner: ledger.owner,
    work: sliceWork(engine, days),
    resultDays,
  });
  const webhooks = new WebhookStore(postgres, clock);
  const slices = new SliceStore({
    ...{ database: postgres, clock, docsBase: 'https://docs.example', sliceSize },
    beginDelivery: (queries, job) => webhooks.begin(queries, job),
  });
  const schedules = new ScheduleStore(postgres, clock, store);
  return {
    ...{ postgres, clock, days, store, webhooks, schedules, slices },
    ...fundedAccounts(ledger, clock),
    breakDriver: () => void postgres.close(),
  };
}
