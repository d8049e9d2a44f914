import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, describe } from 'node:test';
import { openDirectory } from '../../../src/compose/open-store.js';
import type { EndedInput } from '../../../src/service/jobs/job.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { fundedAccounts, jobStoreSuite, runnerStoreSuite } from './job-store-port.js';
import { schedulesSuite } from './schedules-port.js';
import { makeWebhookJob, webhookJobEnding, webhooksSuite } from './webhooks/webhooks-port.js';

const root = temporaryFolder();
let homes = 0;

/** The stores of a data directory of the test's own. */
async function opened(resultDays?: number) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { ledger, database, jobStores, accounts } = await openDirectory(
    path.join(root, String(++homes)),
    clock,
    0,
    undefined,
    resultDays,
  );
  after(() => ledger.close());
  const store = jobStores.jobs;
  const lines = new Map<string, number>();
  /** So many further lines, of ten bytes each. */
  const further = (id: string, count: number) => {
    const all = (lines.get(id) ?? 0) + count;
    lines.set(id, all);
    return { lines: all, bytes: 10 * all, lateBytes: 0 };
  };
  return {
    clock,
    store,
    work: {
      pending: (id: string) => store.listPendingInputs(id),
      begin: (id: string) => store.begin(id),
      end: (id: string, ended: readonly EndedInput[]) => store.commit(id, ended, further(id, ended.length)),
      async finishCancelled(id: string) {
        const { total = 0 } = (await store.findUnfinished(id)) ?? {};
        await store.advance(id, { lines: total, bytes: 10 * total, lateBytes: 0 });
      },
      async sweep() {
        for (const id of await store.listExpired()) await store.forget(id);
      },
    },
    webhooks: jobStores.webhooks,
    schedules: jobStores.schedules,
    ...fundedAccounts(ledger, clock),
    async account(credits: number) {
      const email = `${randomUUID()}@example.com`;
      return (await accounts.create({ email, verified: true, credits })).id;
    },
    async breakDriver() {
      await database.stores.close();
      database.db.close();
    },
  };
}

describe('jobs in SQLite', () => {
  jobStoreSuite(opened);
  runnerStoreSuite(opened);
});

describe('schedules in SQLite', () => schedulesSuite(opened));

describe('webhooks in SQLite', () => {
  webhooksSuite(async () => {
    const under = await opened();
    const { store } = under;
    const account = await under.account(100);
    return {
      ...under,
      account,
      newAccount: under.account,
      async job(finished, webhookUrl, of = account) {
        const id = await makeWebhookJob(store, of, webhookUrl);
        const ending = webhookJobEnding;
        if (finished) await store.commit(id, [{ index: 0, ending }], { lines: 1, bytes: 3, lateBytes: 0 });
        return id;
      },
    };
  });
});
