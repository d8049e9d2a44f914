import { randomUUID } from 'node:crypto';
import { after, describe } from 'node:test';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { Postgres } from '../../lib/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { allSchemas } from '../../src/database-tables.js';
import type { EndedInput } from '../../src/jobs/job.js';
import { Engine } from '../../src/jobs/postgres/engine.js';
import { PostgresJobs } from '../../src/jobs/postgres/postgres-jobs.js';
import { ResultsDays } from '../../src/jobs/postgres/results-days.js';
import { SliceStore } from '../../src/jobs/postgres/slice-store.js';
import { sweepJobs } from '../../src/jobs/postgres/sweep-jobs.js';
import { FakeClock } from '../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { jobStoreSuite } from './job-store-port.js';

describe('jobs in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const closes: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  jobStoreSuite(async () => {
    const { config, drop } = await makeTestDatabase(allSchemas());
    closes.push(drop);
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const postgres = await Postgres.open(config, systemClock);
    const ledger = new PostgresLedger(postgres, clock);
    const engine = new Engine({ postgres, clock: systemClock, onError: () => undefined });
    closes.push(() =>
      ledger
        .close()
        .then(() => engine.stop())
        .then(() => postgres.close()),
    );
    const days = new ResultsDays(postgres);
    const store = new PostgresJobs({ postgres, clock, engine, days, owner: ledger.owner });
    const work = new SliceStore({
      ...{ postgres, clock, docsBase: 'https://docs.example' },
      beginDelivery: async () => undefined,
    });
    return {
      ...{ clock, store },
      work: {
        async pending(id: string) {
          return [...((await work.takeUp(id, 0))?.inputs.keys() ?? [])];
        },
        begin: (id: string) => work.begin(id),
        async end(id: string, ended: readonly EndedInput[]) {
          const lines = ended.map((one) => ({ ...one, line: Buffer.from('{"n": 10}\n') }));
          return (await work.commit(id, lines)) !== 'cancelled';
        },
        async finishCancelled(id: string) {
          while (!(await work.writeCancelled(id)));
        },
        sweep: () => sweepJobs({ postgres, clock, days }),
      },
      async account(credits: number) {
        const account = `acct_${randomUUID()}`;
        const at = new Date(clock.now()).toISOString();
        await ledger.grant({ id: `pack_${account}`, account, credits, kind: 'pack', at });
        return account;
      },
      credits: async (account: string) => (await ledger.balance(account)).credits,
      breakDriver: () => postgres.close(),
    };
  });
});
