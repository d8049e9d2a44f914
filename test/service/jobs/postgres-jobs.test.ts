import { describe } from 'node:test';
import type { EndedInput } from '../../../src/service/jobs/job.js';
import { sweepJobs } from '../../../src/service/jobs/postgres/sweep-jobs.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { openDatabaseStores } from './database-stores.js';
import { jobStoreSuite } from './job-store-port.js';

describe('jobs in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  jobStoreSuite(async (resultDays) => {
    const { postgres, days, slices, ...under } = await openDatabaseStores(resultDays);
    return {
      ...under,
      work: {
        async pending(id: string) {
          return (await (await slices.takeUp(id, 0))?.pending()) ?? [];
        },
        begin: (id: string) => slices.begin(id),
        async end(id: string, ended: readonly EndedInput[]) {
          const lines = ended.map((one) => ({ ...one, line: Buffer.from('{"n": 10}\n') }));
          return (await slices.commit(id, lines)) !== 'cancelled';
        },
        async finishCancelled(id: string) {
          while (!(await slices.writeCancelled(id)));
        },
        sweep: () => sweepJobs({ postgres, clock: under.clock, days, resultDays: under.store.resultDays }),
      },
    };
  });
});
