import type { Database } from '../../../lib/database/database.js';
import type { EndedInput } from '../../../src/service/jobs/job.js';
import { sweepJobs } from '../../../src/service/jobs/postgres/sweep-jobs.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { openDatabaseStores } from './database-stores.js';
import { openDirectoryStores } from './directory-stores.js';
import { makeWebhookJob, webhookJobEnding } from './webhooks/webhooks-port.js';

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

async function inDatabase(resultDays?: number) {
  const { postgres, days, ...stores } = await openDatabaseStores(resultDays);
  const { store, clock } = stores;
  const database: Database = postgres;
  return {
    ...{ ...stores, database, results: database },
    sweep: () => sweepJobs({ postgres, clock, days, resultDays: store.resultDays }),
    deleteAccount: (account: string) =>
      postgres.transaction((queries) => store.deleteAccount(queries, { account })),
  };
}

type OpenStores = (resultDays?: number) => ReturnType<typeof inDirectory> | ReturnType<typeof inDatabase>;

/** What works on the jobs of opened stores. */
function workOn({ slices, sweep }: Pick<Awaited<ReturnType<OpenStores>>, 'slices' | 'sweep'>) {
  return {
    pending: async (id: string) => (await slices.resume(id, 0))?.pending() ?? [],
    begin: (id: string) => slices.begin(id),
    async end(id: string, ended: readonly EndedInput[]) {
      const lines = ended.map((one) => ({ ...one, line: Buffer.from('{"n": 10}\n') }));
      const became = await slices.commit(id, lines);
      return became === 'kept' || became === 'finished';
    },
    async finishCancelled(id: string) {
      while (!(await slices.writeCancelled(id)));
    },
    sweep,
  };
}

const withWork = <Stores extends Awaited<ReturnType<OpenStores>>>(stores: Stores) => ({
  ...stores,
  work: workOn(stores),
});

/** The stores of a data directory, which one runner works on. */
export const directoryStores = async (resultDays?: number) => withWork(await inDirectory(resultDays));

/** The stores of a data directory and of a database, each of the test's own. */
export const bothStores = [
  ['SQLite', false, directoryStores],
  ['PostgreSQL', skipWithoutPostgres, async (resultDays?: number) => withWork(await inDatabase(resultDays))],
] as const;

/** Stores with an account whose jobs have webhooks. */
export async function withWebhooks(open: (typeof bothStores)[number][2]) {
  const under = await open();
  const account = await under.account(100);
  return {
    ...{ ...under, account, newAccount: under.account },
    async job(finished: boolean, webhookUrl: string | undefined, of = account) {
      const id = await makeWebhookJob(under.store, of, webhookUrl);
      if (finished) await under.work.end(id, [{ index: 0, ending: webhookJobEnding }]);
      return id;
    },
  };
}
