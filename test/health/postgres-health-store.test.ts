import { after } from 'node:test';
import { defaultTimeouts } from '../../lib/postgres/connect.js';
import { Postgres } from '../../lib/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { healthSchema } from '../../src/health/postgres/health-schema.js';
import { PostgresHealthStore } from '../../src/health/postgres/postgres-health-store.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { holdToHealthStore } from './health-store-port.js';

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

holdToHealthStore(
  'the history of endpoints in PostgreSQL',
  async () => {
    const database = await makeTestDatabase([healthSchema]);
    closes.push(() => database.drop());
    return async () => {
      const postgres = await Postgres.open(database.config, systemClock, defaultTimeouts);
      closes.push(() => postgres.close());
      return new PostgresHealthStore(postgres);
    };
  },
  skipWithoutPostgres,
);
