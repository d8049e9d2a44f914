import { after } from 'node:test';
import type { Database } from '../../../lib/database/database.js';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import type { InputEnding } from '../../../lib/ledger/job-input.js';
import { PostgresLedger } from '../../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import type { NewJob } from '../../../src/service/jobs/job.js';
import { Engine } from '../../../src/service/jobs/postgres/engine.js';
import { ResultsDays } from '../../../src/service/jobs/postgres/results-days.js';
import { sliceWork } from '../../../src/service/jobs/postgres/slice-work.js';
import { sliceSize } from '../../../src/service/jobs/postgres/slices.js';
import { sweepJobs } from '../../../src/service/jobs/postgres/sweep-jobs.js';
import { SliceStore } from '../../../src/service/jobs/runner/slice-store.js';
import { ScheduleStore } from '../../../src/service/jobs/schedules/schedule-store.js';
import { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { WebhookStore } from '../../../src/service/jobs/webhooks/webhook-store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { fundedAccounts, openDirectoryStores } from './directory-stores.js';

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

/** A job of so many inputs for three credits each. */
export const newJob = (account: string, count: number, more: Partial<NewJob> = {}): NewJob => ({
  ...{ account, key: undefined, endpoint: 'maps/place', credits: 3 },
  ...{ inputs: Array.from({ length: count }, (_, at) => `{"n":${at}}`), webhookUrl: undefined },
  idempotency: undefined,
  ...more,
});

export const ok = { status: 'ok', cached: false, credits: 3 } as const;
export const failed = { status: 'failed', code: 'place_not_found' } as const;

/** A line with a character of two bytes. */
export const line = (index: number, more = '') => `{"input":{"n":${index}},"data":"Ä${more}"}\n`;

async function inDirectory(resultDays?: number) {
  const { accounts, ...stores } = await openDirectoryStores(resultDays);
  const { store } = stores;
  return {
    ...stores,
    async sweep() {
      for (const id of await store.listExpired()) await store.forget(id);
    },
    async deleteAccount(account: string) {
      await accounts.delete(account);
      await store.forgetLines();
    },
  };
}

/** Stores in a database whose engine works on nothing. */
async function inDatabase(resultDays?: number) {
  const { config, drop } = await makeTestDatabase(allSchemas());
  closes.push(drop);
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const postgres = await Postgres.open(config, systemClock);
  const database: Database = postgres;
  const ledger = new PostgresLedger(postgres, clock);
  const engine = new Engine({ postgres, clock: systemClock });
  closes.push(async () => {
    await ledger.close();
    await engine.stop();
    await postgres.close();
  });
  const days = new ResultsDays(postgres);
  const work = sliceWork(engine, days);
  const store = new StoredJobs({ database, clock, owner: ledger.owner, work, resultDays });
  const webhooks = new WebhookStore(postgres, clock);
  const slices = new SliceStore({
    ...{ database, clock, docsBase: 'https://docs.example', sliceSize },
    beginDelivery: (queries, job) => webhooks.begin(queries, job),
  });
  const schedules = new ScheduleStore(postgres, clock, store);
  return {
    ...{ postgres, database, results: database, clock, store, webhooks, schedules, slices },
    ...fundedAccounts(ledger, clock),
    breakDriver: () => void postgres.close(),
    sweep: () => sweepJobs({ postgres, clock, days, resultDays: store.resultDays }),
    deleteAccount: (account: string) =>
      postgres.transaction((queries) => store.deleteAccount(queries, { account })),
  };
}

/** Adds what makes jobs and works on them. */
function withWork<Stores extends Awaited<ReturnType<typeof inDirectory | typeof inDatabase>>>(
  stores: Stores,
) {
  const { store, slices } = stores;
  return {
    ...stores,
    make: async (account: string, count: number, more: Partial<NewJob> = {}) =>
      (await store.create(newJob(account, count, more), () => '')).id,
    /** Indexes of the inputs that have not ended, in order. */
    pending: async (id: string) => (await slices.resume(id, 0))?.pending() ?? [],
    /** Ends inputs in one call, each with its line. */
    end: (id: string, indexes: readonly number[], ending: InputEnding = ok) =>
      slices.commit(
        id,
        indexes.map((index) => ({ index, ending, line: Buffer.from(line(index)) })),
      ),
    /** Ends all inputs with these lines. */
    endAll: (id: string, lines: readonly string[]) =>
      slices.commit(
        id,
        lines.map((text, index) => ({ index, ending: ok, line: Buffer.from(text) })),
      ),
    /** Writes the lines of a cancelled job. */
    async finishCancelled(id: string) {
      while (!(await slices.writeCancelled(id)));
    },
  };
}

export type JobStores = Awaited<ReturnType<(typeof bothStores)[number]['open']>>;

/** The stores of a data directory, which one runner works on. */
export const directoryStores = async (resultDays?: number) => withWork(await inDirectory(resultDays));

/** The stores of a database. */
export const databaseStores = async (resultDays?: number) => withWork(await inDatabase(resultDays));

/** Both, each of the test's own. */
export const bothStores = [
  { where: 'SQLite', skip: false, open: directoryStores },
  { where: 'PostgreSQL', skip: skipWithoutPostgres, open: databaseStores },
] as const;
