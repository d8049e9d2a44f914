import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after } from 'node:test';
import type { Ledger } from '../../../lib/ledger/ledger.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { SliceStore } from '../../../src/service/jobs/runner/slice-store.js';
import type { JobStores } from '../../../src/service/jobs/sqlite/open-directory-jobs.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;

/** Makes accounts that a ledger holds, each with a pack. */
export const fundedAccounts = (ledger: Pick<Ledger, 'grant' | 'balance'>, clock: Clock) => ({
  async account(credits: number): Promise<string> {
    const account = `acct_${randomUUID()}`;
    const at = new Date(clock.now()).toISOString();
    await ledger.grant({ id: `pack_${account}`, account, credits, kind: 'pack', at });
    return account;
  },
  credits: async (account: string) => (await ledger.balance(account)).credits,
});

/** Writes the lines of jobs of a data directory as its server does. */
export function directorySlices({ database, results, jobs, webhooks }: JobStores, clock: Clock): SliceStore {
  return new SliceStore({
    ...{ database, results, clock, docsBase: 'https://docs.example' },
    withdraw: (account, isLeft) => jobs.withdraw(account, isLeft),
    beginDelivery: (queries, job) => webhooks.begin(queries, job),
  });
}

/** The stores of a data directory of the test's own. */
export async function openDirectoryStores(resultDays?: number) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const home = path.join(root, String(++homes));
  const opened = await openDirectory(home, clock, 0, undefined, resultDays);
  after(() => opened.close());
  const { ledger, database, results, jobStores, accounts } = opened;
  const { jobs: store, webhooks, schedules } = jobStores;
  return {
    ...{ home, clock, store, webhooks, schedules, accounts, database: database.stores, results },
    slices: directorySlices(jobStores, clock),
    ...fundedAccounts(ledger, clock),
    async account(credits: number) {
      return (await accounts.create({ email: `${randomUUID()}@example.com`, verified: true, credits })).id;
    },
    staged: async () =>
      (await database.stores.read((queries) => queries.rows('SELECT 1 FROM schedule_inputs'))).length,
    async breakDriver() {
      await results.close();
      await database.stores.close();
      database.db.close();
    },
  };
}
