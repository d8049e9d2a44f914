import { describe } from 'node:test';
import type { EndedInput } from '../../../src/service/jobs/job.js';
import { openDirectoryStores } from './directory-stores.js';
import { jobStoreSuite, runnerStoreSuite } from './job-store-port.js';
import { schedulesSuite } from './schedules-port.js';
import { makeWebhookJob, webhookJobEnding, webhooksSuite } from './webhooks/webhooks-port.js';

async function opened(resultDays?: number) {
  const stores = await openDirectoryStores(resultDays);
  const { store, slices } = stores;
  const line = Buffer.from(`${'x'.repeat(9)}\n`);
  return {
    ...stores,
    work: {
      pending: async (id: string) => (await slices.takeUp(id, 0))?.pending() ?? [],
      begin: (id: string) => slices.begin(id),
      async end(id: string, ended: readonly EndedInput[]) {
        const became = await slices.commit(
          id,
          ended.map((one) => ({ ...one, line })),
        );
        return became === 'kept' || became === 'finished';
      },
      async finishCancelled(id: string) {
        while (!(await slices.writeCancelled(id)));
      },
      async sweep() {
        for (const id of await store.listExpired()) await store.forget(id);
      },
    },
  };
}

describe('jobs in SQLite', () => jobStoreSuite(opened));

describe('the jobs of a runner in SQLite', () => runnerStoreSuite(opened));

describe('schedules in SQLite', () => schedulesSuite(opened));

describe('webhooks in SQLite', () => {
  webhooksSuite(async () => {
    const under = await opened();
    const account = await under.account(100);
    return {
      ...under,
      account,
      newAccount: under.account,
      async job(finished, webhookUrl, of = account) {
        const id = await makeWebhookJob(under.store, of, webhookUrl);
        if (finished) await under.work.end(id, [{ index: 0, ending: webhookJobEnding }]);
        return id;
      },
    };
  });
});
